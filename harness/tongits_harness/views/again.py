"""The command that sends a bot again what it was asked, told wherever a fault is shown."""


def again_words(tournament: str, match_key: str, seating: int, seat: int, source: str) -> list[str]:
    """The words of `tongits replay --bot` for one seat of a stored session."""
    place = ["--seating", str(seating), "--seat", str(seat)]
    return ["tongits", "replay", match_key, *place, "--bot", source, "--tournament", tournament]
