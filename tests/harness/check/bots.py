"""Bots written into a folder by a test, each with one trait."""

from pathlib import Path

MANIFEST = 'name = "{name}"\nversion = "1"\nlanguage = "python"\nrun = ["python3", "main.py"]\n'
FINE = """
from tongits_bot import serve

def decide(view):
    return view.legal[0]
"""
SERVE = '\nif __name__ == "__main__":\n    serve(decide, concurrent_games=64)\n'

RESUMED = """
from tongits_bot import GameBot, serve_games

class Bot(GameBot):
    def start(self, game):
        if game.resumed and "restart" not in game.id:
            raise KeyError("the beginning of the game")
    def decide(self, view):
        return view.legal[0]

serve_games(Bot)
"""
DICE = """
import os
from tongits_bot import serve

def decide(view):
    return view.legal[os.urandom(1)[0] % len(view.legal)]
"""
LEAVES_BADLY = """
import atexit, os
from tongits_bot import serve

atexit.register(lambda: os._exit(7))

def decide(view):
    return view.legal[0]
"""
STAYS = """
import atexit, time
from tongits_bot import serve

atexit.register(time.sleep, 60)

def decide(view):
    return view.legal[0]
"""
DIVIDES = """
from tongits_bot import serve

def decide(view):
    print("I hold", len(view.hand))
    return view.legal[10 // (len(view.hand) - 1) * 0]
"""


def make_bot(folder: Path, program: str = FINE, *, name: str = "mybot", extra: str = "") -> Path:
    """A folder with a bot whose program is this and, if it only decides, the call of `serve`."""
    bot = folder / name
    bot.mkdir()
    games = "concurrent_games = 64\n"
    (bot / "bot.toml").write_text(MANIFEST.format(name=name) + games + extra)
    ending = "" if "serve_games(" in program else SERVE
    (bot / "main.py").write_text(program + ending)
    return bot
