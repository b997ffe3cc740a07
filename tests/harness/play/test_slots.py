"""How many processes may think at a time."""

import pytest
import trio
from tongits_harness.play.slots import ComputeSlots


class Thinker:
    """Keeps a slot until it is told to give it back."""

    def __init__(self, name, order):
        self.name, self.order = name, order

    def granted(self):
        self.order.append(self.name)


async def settle():
    """Lets everything happen that was put off to the end of this turn of the loop."""
    for _ in range(3):
        await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("count", [1, 2, 5])
async def test_no_more_than_so_many_have_a_slot(count):
    slots, order = ComputeSlots(count), []
    for number in range(8):
        slots.request(Thinker(number, order))
    await settle()
    assert order == list(range(count))


async def test_slots_go_to_who_came_first():
    slots, order = ComputeSlots(1), []
    for number in range(4):
        slots.request(Thinker(number, order))
    for number in range(4):
        await settle()
        assert order == list(range(number + 1))
        slots.release()


async def test_a_slot_is_granted_at_the_end_of_the_turn_not_at_once():
    slots, order = ComputeSlots(2), []
    slots.request(Thinker("a", order))
    slots.request(Thinker("b", order))
    assert order == []
    await settle()
    assert order == ["a", "b"]


async def test_a_slot_that_is_free_waits_for_the_next_comer():
    slots, order = ComputeSlots(1), []
    slots.request(Thinker("a", order))
    await settle()
    slots.release()
    await settle()
    slots.request(Thinker("b", order))
    await settle()
    assert order == ["a", "b"]


async def test_a_slot_given_back_while_it_is_granted_goes_to_the_next():
    slots, order = ComputeSlots(1), []

    class Hasty(Thinker):
        def granted(self):
            super().granted()
            slots.release()

    for number in range(3):
        slots.request(Hasty(number, order))
    await settle()
    assert order == [0, 1, 2]
