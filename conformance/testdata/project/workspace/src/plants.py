def due(plants, day):
    """The plants that want water on a day."""
    return [p for p in plants if p.every and day % p.every == 0]
