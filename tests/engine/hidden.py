"""States that a seat cannot tell apart: the same but for the cards it cannot see."""

from tongits_engine import SEATS, Phase, cards_of, mask_of
from tongits_engine.state import copied


def permuted(state, seat, rng):
    """The state with the cards hidden from a seat put elsewhere among the hidden places.

    Hidden are the stock, the other hands and the faces of others' concealed melds. A concealed meld
    stays a four. The hand of a caller who announced his points stays, as it is half known.
    """
    kept = {seat}
    if state.rules.draw_caller_announces_points and state.phase is Phase.RESPOND:
        kept.add(state.caller)
    others = [other for other in range(SEATS) if other not in kept]
    hidden = list(state.stock)
    for other in others:
        hidden += cards_of(state.hands[other])
    face_down = [m.number for m in state.melds if m.concealed and m.owner != seat]
    for number in face_down:
        hidden += state.melds[number].cards
    rng.shuffle(hidden)
    fours = [four for four in fours_of(hidden) if rng.random() < 0.9]
    fours += [four for four in fours_of(hidden) if four not in fours]
    melds = list(state.melds)
    for number, four in zip(face_down, fours, strict=False):
        melds[number] = melds[number]._replace(cards=bytes(four), mask=mask_of(four))
        hidden = [card for card in hidden if card not in four]
    hands = list(state.hands)
    for other in others:
        size = hands[other].bit_count()
        hands[other], hidden = mask_of(hidden[:size]), hidden[size:]
    drawn = list(state.deck[: state.drawn])
    rng.shuffle(drawn)
    after = copied(state)
    after.hands, after.melds, after.deck = tuple(hands), tuple(melds), bytes(drawn + hidden)
    return after


def fours_of(cards):
    """The whole ranks among some cards, in the order in which their first card comes."""
    ranks = list(dict.fromkeys(card // 4 for card in cards))
    whole = [range(rank * 4, rank * 4 + 4) for rank in ranks]
    return [list(four) for four in whole if set(four) <= set(cards)]
