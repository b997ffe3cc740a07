"""How the engine's property tests run: the same examples every time, without a clock."""

from hypothesis import settings

steady = settings(deadline=None, derandomize=True, max_examples=60)
