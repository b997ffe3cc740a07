"""Notes at its first decision of each game which process this is and which hand it sees.

Plays the first legal action.
"""

import json
import secrets

from tongits_bot import Action, GameBot, View, serve_games

PROCESS = secrets.token_hex(8)


class Logbook(GameBot):
    """One game."""

    def __init__(self) -> None:
        self.is_noted = False

    def decide(self, view: View) -> Action:
        """The first legal action, with a note once a game."""
        if not self.is_noted:
            self.is_noted = True
            note = {"process": PROCESS, "seat": view.seat, "hand": view.hand.hex()}
            view.note = json.dumps(note)
        return view.legal[0]


if __name__ == "__main__":
    serve_games(Logbook)
