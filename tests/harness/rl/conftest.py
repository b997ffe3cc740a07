"""PettingZoo's own tests talk: what they say of dictionaries and of agents without a turn."""

import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")
