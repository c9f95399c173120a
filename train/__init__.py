"""One readable script per training algorithm, and the learning maths that they share."""
