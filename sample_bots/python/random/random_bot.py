"""Plays any legal action, each as likely as the others: the floor of every leaderboard."""

from tongits_bot import Action, View, serve


def decide(view: View) -> Action:
    """One of the legal actions."""
    return view.rng.choice(view.legal)


if __name__ == "__main__":
    serve(decide)
