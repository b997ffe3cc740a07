"""What the oracle says at the end of a game: deadwood, bonus items and payments."""

from tests.engine.oracle_cards import POINTS, is_set, melds_of


def groupings(cards, melds):
    """All ways to take disjoint melds out of some cards, the empty way included."""
    yield []
    for index, meld in enumerate(melds):
        if meld <= cards:
            for others in groupings(cards - meld, melds[index + 1 :]):
                yield [meld, *others]


def all_groupings(rules, cards):
    held = [meld for meld in melds_of(rules) if meld <= set(cards)]
    return list(groupings(frozenset(cards), held))


def points_left(cards, grouping):
    return sum(POINTS[card] for card in cards) - sum(
        POINTS[card] for meld in grouping for card in meld
    )


def least_deadwood(rules, cards):
    if not rules["deadwood.held_melds_free"]:
        return points_left(cards, [])
    return min(points_left(cards, grouping) for grouping in all_groupings(rules, cards))


def all_grouped(rules, cards):
    return any(points_left(cards, grouping) == 0 for grouping in all_groupings(rules, cards))


def sets_held(rules, cards):
    """(fours, all sets) of the least-deadwood grouping that pays the winner most."""
    every = all_groupings(rules, cards)
    least = min(points_left(cards, grouping) for grouping in every)
    best = (0, 0)
    for grouping in every:
        if points_left(cards, grouping) == least:
            sets = [meld for meld in grouping if is_set(meld)]
            fours = [meld for meld in sets if len(meld) == 4]
            counted = (len(fours), len(sets))
            if rules["score.set_bonus_scope"] == "all_sets":
                best = max(best, counted, key=lambda pair: (pair[1], pair[0]))
            else:
                best = max(best, counted)
    return best


def bonus_sets(game, winner):
    rules, scope = game.rules, game.rules["score.set_bonus_scope"]
    own = [meld for meld in game.table if meld.owner == winner and is_set(meld.cards)]
    fours_held, sets_in_hand = sets_held(rules, game.hands[winner])
    if scope == "all_sets":
        return len(own) + sets_in_hand
    if scope == "any4":
        return sum(len(meld.cards) == 4 for meld in own) + fours_held
    if rules["meld.face_down"] == "after_show":  # no concealing: a four wholly from the hand counts
        return sum(meld.from_hand_as_four for meld in own) + fours_held
    return sum(meld.concealed for meld in own) + fours_held


def aces(game, winner):
    tabled = 0
    for meld in game.table:
        for card, giver in meld.given_by.items():
            by_place = game.rules["score.ace_owner"] == "location"
            tabled += card[0] == "A" and (meld.owner if by_place else giver) == winner
    return tabled + sum(card[0] == "A" for card in game.hands[winner])


def payments(game, termination, winner, burned):
    """Chips won (+) or paid (-) by each seat, without the pot."""
    if winner is None:
        return [0, 0, 0]
    rules = game.rules
    paid = [0, 0, 0]
    extra = rules["score.ace"] * aces(game, winner)
    extra += rules["score.set_bonus"] * bonus_sets(game, winner)
    contest = {game.caller, *game.challengers}
    for loser in {0, 1, 2} - {winner}:
        base = rules["score.win"]
        folded = termination.startswith("draw") and loser not in contest
        if termination == "tongits":
            base = rules["score.tongits"]
        elif termination == "draw_uncontested":
            base = rules["score.draw_uncontested"]
        elif termination == "draw_contested" and (
            not folded or rules["score.draw_payers"] == "all_losers"
        ):
            base = rules["score.draw_contested"]
        due = base + extra + rules["score.burned"] * burned[loser]
        due += rules["score.fold_penalty"] * folded
        paid[loser] -= due
        paid[winner] += due
    return paid
