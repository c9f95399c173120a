"""The players: what chooses an action from what one seat may see."""
