"""Whatever is played: the invariants of cards, turns, legality, hiding, records and chips."""

import random
import re

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from tongits_engine import (
    ACTIONS,
    PACK,
    SEATS,
    ActionKind,
    EventKind,
    IllegalActionError,
    Phase,
    Table,
    apply,
    close_game,
    close_session,
    deal,
    is_pack,
    legal_actions,
    observe,
    open_game,
    parse_action,
    parse_cards,
    redact,
    replay,
    rules_named,
    settle,
    why_illegal,
)

from tests.engine.hidden import permuted
from tests.engine.random_games import PRESETS, random_deck, random_overrides

MELDING = (ActionKind.TAKE, ActionKind.EXPOSE, ActionKind.CONCEAL, ActionKind.LAYOFF)
DEFAULT_CARDS = ("deal.cards", "turn.dealer_draws_first", "pickup.discard_after")
RULE_ID = re.compile(r"R-[A-Z]+-\d+")
CALL = parse_action("call")
MOST_TURNS = 25
SAMPLE = 15


class Play(RuleBasedStateMachine):
    """Games of one session after another, under parameters drawn at random."""

    @initialize(seed=st.integers(0, 2**32), name=st.sampled_from(PRESETS), other=st.integers(0, 5))
    def sit_down(self, seed, name, other):
        self.rng = random.Random(seed)
        overrides = random_overrides(self.rng, name, other)
        self.rules = rules_named(name, overrides)
        self.is_plain = not any(parameter in overrides for parameter in DEFAULT_CARDS)
        self.table = Table(self.rules, self.rng.randrange(SEATS))
        self.deal_out()

    def deal_out(self):
        self.table = open_game(self.table)
        self.deck = parse_cards(" ".join(random_deck(self.rng)))
        self.state = deal(self.rules, self.deck, self.table.dealer)
        self.log = []
        self.owed = [hand.bit_count() for hand in self.state.hands]  # held and tabled cards

    @precondition(lambda self: not self.state.is_over)
    @rule(choice=st.integers(0, 2**16), melding=st.booleans())
    def act(self, choice, melding):
        pick = self.choose(choice, melding=melding)
        seat, kind = self.state.to_act, pick.kind
        self.check_events(pick)
        self.state = apply(self.state, pick).state
        self.log.append(pick)
        self.owed[seat] += (kind in (ActionKind.DRAW, ActionKind.TAKE)) - (
            kind is ActionKind.DISCARD
        )

    def choose(self, choice, *, melding):
        """A meld or lay-off where wanted, else mostly no call so that games go on."""
        legal = legal_actions(self.state)
        melds = [action for action in legal if action.kind in MELDING]
        quiet = [a for a in legal if a.kind is not ActionKind.CALL and a not in melds]
        pool = (melds if melding else quiet if choice % 8 else legal) or legal
        return pool[choice % 997 % len(pool)]

    @precondition(lambda self: self.state.is_over)
    @rule()
    def settle_and_deal_again(self):
        result = settle(self.state)
        assert sum(result.payments) == 0
        if result.winner is None:
            assert result.payments == (0, 0, 0)
        else:
            assert result.payments[result.winner] == max(result.payments)
            assert not result.burned[result.winner]
        self.table = close_game(self.table, result)
        assert sum(self.table.chips) + self.table.pot == 0
        assert sum(close_session(self.table).chips) == 0
        self.check_record()
        self.deal_out()

    def check_events(self, action):
        """What others see of an action says nothing of the cards it moved unseen."""
        state = self.state
        for seat in {0, 1, 2} - {state.to_act}:
            for event in apply(state, action).events:
                if event.kind in (EventKind.DREW, EventKind.CONCEALED):
                    assert redact(event, seat).cards == b""
            if action.kind is ActionKind.DRAW:
                after = [apply(s, action) for s in (state, permuted(state, seat, self.rng))]
                if not any(step.state.is_over for step in after):
                    one, other = [[redact(e, seat) for e in step.events] for step in after]
                    assert one == other

    def check_record(self):
        texts = [action.text for action in self.log]
        *_, last = replay(self.rules, self.deck, self.state.dealer, texts)
        assert last.after == self.state

    @invariant()
    def there_are_52_cards(self):
        state = self.state
        cards = [*state.stock, *state.discards]
        for hand in state.hands:
            cards += [card for card in range(PACK) if hand >> card & 1]
        for meld in state.melds:
            assert len(meld.cards) == meld.size >= 3
            cards += meld.cards
        assert is_pack(cards)

    @invariant()
    def a_seat_has_what_it_was_dealt_drew_and_took_less_what_it_discarded(self):
        state = self.state
        tabled = [0, 0, 0]
        for meld in state.melds:
            tabled[meld.owner] += meld.size - len(meld.laid_off)
            for laid_off in meld.laid_off:
                tabled[laid_off.seat] += 1
        had = [state.hands[seat].bit_count() + tabled[seat] for seat in range(SEATS)]
        if state.phase is not Phase.OVER:
            assert had == self.owed
        if self.is_plain:
            assert max(had) <= 13
            if state.phase is Phase.START:
                assert had == [12, 12, 12]
                assert state.discards
            if self.rules.end_stock_moment == "after_discard":
                assert state.turn < MOST_TURNS

    @invariant()
    def what_is_listed_is_legal_and_all_else_is_refused_with_a_reason(self):
        legal = legal_actions(self.state)
        assert len(set(legal)) == len(legal)
        assert bool(legal) is not self.state.is_over
        assert [action.code for action in legal] == sorted(action.code for action in legal)
        for action in self.rng.sample(ACTIONS, SAMPLE):
            check_legality(self.state, action, legal)
        for action in legal:
            assert why_illegal(self.state, action) is None

    @invariant()
    def no_observation_changes_with_the_cards_hidden_from_it(self):
        if self.state.is_over:
            return
        for seat in range(SEATS):
            other = permuted(self.state, seat, self.rng)
            seen = observe(self.state, seat)
            assert observe(other, seat) == seen
            if seat == self.state.to_act and self.state.phase is Phase.START and seen.opened[seat]:
                assert seen.blocked[seat] is (CALL not in seen.legal) or self.state.turn == 0
            if seat == self.state.to_act:
                for action in self.rng.sample(ACTIONS, 5):
                    assert why_illegal(other, action) == why_illegal(self.state, action)


def check_legality(state, action, legal):
    refused = why_illegal(state, action)
    assert (refused is None) is (action in legal)
    if refused is None:
        apply(state, action)
        return
    assert RULE_ID.fullmatch(refused.rule)
    assert refused.reason
    if action.code % 16 == 0:
        with pytest.raises(IllegalActionError, match=re.escape(refused.reason)):
            apply(state, action)


TestPlay = Play.TestCase
TestPlay.settings = settings(
    max_examples=32, stateful_step_count=70, deadline=None, derandomize=True
)


def test_the_whole_alphabet_is_legal_or_refused_all_through_a_game():
    for seed, name in enumerate(["tongits-lite", "sa-tong"]):
        rng = random.Random(seed)
        state = deal(rules_named(name), parse_cards(" ".join(random_deck(rng))), seed)
        while not state.is_over:
            legal = legal_actions(state)
            for action in ACTIONS:
                check_legality(state, action, legal)
            melds = [action for action in legal if action.kind in MELDING]
            state = apply(state, rng.choice(melds or legal)).state
        assert all(why_illegal(state, action).rule == "R-TURN-6" for action in ACTIONS)
