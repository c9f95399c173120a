"""The chance of a game told a second time, in plain Python, for references that need luck.

From the same two sources as the compiled streams: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
and multiplication for a number in an interval (Lemire, ACM TOMACS 2019). Stream s of a game starts
a generator at the s-th output of the one that the game's seed starts; its k-th draw is the k-th
output of that one, of which the upper 32 bits count.
"""

from collections import Counter
from collections.abc import Iterable

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15


def splitmix(start: int, k: int) -> int:
    """Return output k, counted from 0, of SplitMix64 started at a number."""
    x = (start + (k + 1) * GOLDEN) % WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


class Chance:
    """All streams of a game.

    Parameters
    ----------
    seed : int
        The game's.

    Attributes
    ----------
    draws : Counter
        How often each stream was drawn from.
    """

    def __init__(self, seed: int, draws: tuple[int, ...] = ()) -> None:
        self.seed = int(seed)
        self.draws = Counter(dict(enumerate(map(int, draws))))

    def draw(self, stream: int, n: int) -> int:
        """Return the next draw of a stream as a number below n."""
        x = splitmix(splitmix(self.seed, stream), self.draws[stream])
        self.draws[stream] += 1
        return fair_below(x, n)


def fair_below(x: int, n: int) -> int:
    """Return the number below n that an output stands for, or the outputs that follow it."""
    number, rest = divmod((x >> 32) * n, 2**32)
    return number if rest >= 2**32 % n else fair_below(splitmix(x, 0), n)


def chi_square(counts: Iterable[float]) -> float:
    """Return Pearson's statistic of counts against equal chances."""
    counts = list(counts)
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def unlikely(degrees: int) -> float:
    """Return about the 0.1 % point of chi-square: Wilson and Hilferty, PNAS 17 (1931), 684."""
    ninth = 2 / (9 * degrees)
    return degrees * (1 - ninth + 3.0902 * ninth**0.5) ** 3  # 3.0902: that of the normal law
