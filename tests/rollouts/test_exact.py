"""Action values against exact enumeration: every target, answer and turn gone through in plain Python."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.cards import ATTRIBUTES
from planner.config import PlannerConfig
from rollouts.config import RolloutConfig
from rollouts.engine import RolloutEngine
from rollouts.kernels import heaviest, play_all
from rollouts.particles import Particles, decoded, draw_particles, overrides_to_come
from rollouts.plies import first_plies
from scoring.config import ShopperConfig, StrayingConfig
from scoring.posterior import Belief
from scoring.scenario import ScenarioBelief

COLOR, FEATURE, OTHER = (ATTRIBUTES.index(name) for name in ("color", "feature", "other"))
IMPOSSIBLE = -80.0
# No deviation is possible: an answer leaves exactly the candidates that would give it.
STRICT = ShopperConfig(
    class_rule="words",
    unexpected=IMPOSSIBLE,
    off_card=IMPOSSIBLE,
    absent=IMPOSSIBLE,
    omitted=IMPOSSIBLE,
    silent=IMPOSSIBLE,
)
STRAYING = StrayingConfig(
    share=0.5,
    unexpected=IMPOSSIBLE,
    off_card=IMPOSSIBLE,
    absent=IMPOSSIBLE,
    omitted=IMPOSSIBLE,
    silent=IMPOSSIBLE,
)
ROLLOUTS = PlannerConfig.load("robust").rollouts
PLAN = msgspec.structs.replace(
    ROLLOUTS.horizon, constant=0.0, confidence=0.0, answerable=0.0, spread=0.0, turn=0.0
)
LINES = 6
COLORS = (0, 1, 2)
"""Lines 0 to 2 answer a question about the color, the others one about features."""


class Lines:
    rarity = np.zeros(LINES, dtype=np.float32)


def belief_of(cards, weights, pending=0.0, refusal=0.0):
    cards = np.array([list(card) + [-1] * (4 - len(card)) for card in cards], dtype=np.int32)
    masks = np.zeros((len(cards), len(ATTRIBUTES)), dtype=np.int8)
    for k, card in enumerate(cards):
        for slot, line in enumerate(card):
            if line >= 0:
                masks[k, COLOR if line in COLORS else FEATURE] |= 1 << slot
                masks[k, OTHER] |= 1 << slot
    probabilities = np.sort(np.array(weights, dtype=float))[::-1]
    probabilities = probabilities / probabilities.sum()
    empty = np.zeros(len(cards))
    return Belief(
        rows=np.arange(len(cards)),
        scores=np.log(probabilities),
        probabilities=probabilities,
        terms={},
        cards=cards,
        masks=masks,
        disclosed=empty.astype(np.int8),
        scenario=ScenarioBelief(np.full(4, 0.25), pending, refusal),
    )


a_card = st.lists(st.integers(0, LINES - 1), min_size=1, max_size=4, unique=True).map(tuple)
cards = st.lists(a_card, min_size=2, max_size=6)
question = st.sampled_from([COLOR, FEATURE, OTHER])
HARD_PLAN = msgspec.structs.replace(ROLLOUTS, horizon=PLAN, answer_noise=0.0)
weights = st.lists(st.floats(0.01, 1.0), min_size=6, max_size=6)


def score(turn, rank):
    """Return the protocol's score of one session."""
    return 0.5 + 0.3 / rank + 0.2 * (11 - turn) / 10


def best_plan(masses, turn):
    """Return the value of the best plan without answers: singles for a while, then tens, from ``turn`` on."""
    return max(
        (
            sum(mass * score(*place) for mass, place in zip(masses, places(singles, turn), strict=False)),
            -singles,
        )
        for singles in range(11 - turn)
    )


def places(singles, turn):
    """Yield turn and rank of each product that a plan shows, in order."""
    for shown in range(turn, 11):
        for rank in range(1, 2 if shown < turn + singles else 11):
            yield shown, rank


def answer(card, disclosed, asked):
    """Return the at most two undisclosed lines of the asked kind; their order says nothing more."""
    said = [
        line
        for line in card
        if line not in disclosed and (asked == OTHER or (line in COLORS) == (asked == COLOR))
    ]
    return frozenset(said[:2])


def ply_by_hand(cards, masses, turn, asked, page):
    """Return an action's value: the page, then for each answer the plan that hears no more."""
    value = sum(mass * score(turn, rank) for rank, mass in enumerate(masses[:page], 1))
    if turn == 10:
        return value
    groups = {}
    for card, mass in list(zip(cards, masses, strict=True))[page:]:
        groups.setdefault(answer(card, (), asked), []).append(mass)
    return value + sum(best_plan(sorted(group, reverse=True), turn + 1)[0] for group in groups.values())


def engine(**changes):
    config = msgspec.structs.replace(HARD_PLAN, **changes)
    return RolloutEngine(Lines, config, STRICT, STRAYING)


def situation(belief, turn, questions, config: RolloutConfig):
    return RolloutEngine(Lines, config, STRICT, STRAYING)._situation(belief, turn, questions)


class TestFirstPly:
    @settings(max_examples=60)
    @given(
        cards,
        weights,
        st.integers(1, 10),
        st.sampled_from([COLOR, FEATURE, OTHER]),
        st.sampled_from([1, 3, 10]),
    )
    def test_against_enumeration(self, cards, weights, turn, asked, page):
        belief = belief_of(cards, weights[: len(cards)])
        config = HARD_PLAN
        got = first_plies(
            situation(belief, turn, [asked], config),
            np.array([asked]),
            np.array([page]),
            0.0,
            0.0,
            overrides_to_come(turn),
        )
        masses = belief.probabilities.tolist()
        assert got[0] == pytest.approx(ply_by_hand(cards, masses, turn, asked, page), abs=1e-9)

    def test_a_pending_change_of_mind_takes_nothing_and_then_names_the_first_line(self):
        # In turn 2 it will change its mind in turn 3: the page shown now is lost; the first lines, 0 and 3,
        # tell the two apart, and each is found alone in turn 3.
        belief = belief_of([(0, 4), (3, 4)], [0.6, 0.4], pending=1.0)
        got = first_plies(
            situation(belief, 2, [FEATURE], HARD_PLAN),
            np.array([FEATURE]),
            np.array([1]),
            1.0,
            0.0,
            np.array([3]),
        )
        assert got[0] == pytest.approx(score(3, 1))

    def test_a_refusal_tells_nothing(self):
        # The first is shown now; refused, the second is shown next.
        belief = belief_of([(0,), (1,), (2,)], [0.5, 0.3, 0.2], refusal=1.0)
        got = first_plies(
            situation(belief, 1, [COLOR], HARD_PLAN),
            np.array([COLOR]),
            np.array([1]),
            0.0,
            1.0,
            np.array([3, 4]),
        )
        assert got[0] == pytest.approx(0.5 * score(1, 1) + 0.3 * score(2, 1) + 0.2 * score(3, 1))

    def test_an_answer_that_fails_to_come_is_mixed_with_silence(self):
        # Two colors; 20 % of the answers fail, and then the belief stays as it is.
        belief = belief_of([(0,), (1,), (2,)], [0.4, 0.3, 0.3])
        config = msgspec.structs.replace(ROLLOUTS, horizon=PLAN, answer_noise=0.2)
        got = first_plies(
            situation(belief, 1, [COLOR], config), np.array([COLOR]), np.array([1]), 0.0, 0.0, np.array([3])
        )
        silent = 0.3 * score(2, 1) + 0.3 * score(3, 1)
        assert got[0] == pytest.approx(0.4 * score(1, 1) + 0.8 * 0.6 * score(2, 1) + 0.2 * silent)


class TestRollouts:
    """The simulated conversations follow the policy that they say they follow, to the last turn."""

    @settings(max_examples=40)
    @given(cards, weights, st.integers(1, 10), question, st.sampled_from([1, 10]))
    def test_against_enumeration(self, cards, weights, turn, asked, page):
        belief = belief_of(cards, weights[: len(cards)])
        config = HARD_PLAN
        count = len(cards)
        rewards = play_all(
            Particles(
                np.arange(count),
                np.zeros(count, dtype=np.int64),
                np.zeros(count, dtype=bool),
                np.zeros(count, dtype=np.int64),
            ),
            9,
            np.array([asked]),
            np.array([page]),
            situation(belief, turn, [COLOR, FEATURE, OTHER], config),
        )
        members = list(zip(cards, belief.probabilities.tolist(), strict=True))
        expected = policy_value(members, turn, asked, page, frozenset(), {COLOR, FEATURE, OTHER})
        assert rewards[0] @ belief.probabilities == pytest.approx(expected, abs=1e-6)

    @settings(max_examples=25)
    @given(cards, weights, st.integers(1, 4), st.integers(0, 5))
    def test_the_sampled_mean_is_within_its_standard_error_of_the_exact_one(self, cards, weights, turn, seed):
        belief = belief_of(cards, weights[: len(cards)], pending=0.3, refusal=0.2)
        playing = engine(seed=seed, budget=4000, limit=4000, halving=False, depth=3)
        values = playing.action_values(belief, turn, [COLOR, FEATURE])
        start = situation(belief, turn, [COLOR, FEATURE], playing.config)
        later = overrides_to_come(turn)
        scenarios = [(0, False, 0.5), (0, True, 0.2), *((int(t), False, 0.3 / len(later)) for t in later)]
        for action in range(len(values.questions)):
            exact = sum(
                chance
                * belief.probabilities[target]
                * play_all(
                    Particles(np.array([target]), np.array([override]), np.array([refuses]), np.array([0])),
                    3,
                    values.questions[action : action + 1],
                    values.pages[action : action + 1],
                    start,
                )[0, 0]
                for override, refuses, chance in scenarios
                for target in range(len(cards))
            )
            # Stratified draws scatter less than the standard error of independent ones says.
            assert values.means[action] == pytest.approx(exact, abs=4 * values.standard_errors[action] + 2e-3)


def policy_value(members, turn, asked, page, disclosed, open_questions):
    """Return the expected score: ``members`` are (card, mass), likeliest first; all have heard the same."""
    value = sum(mass * score(turn, rank) for rank, (_, mass) in enumerate(members[:page], 1))
    if turn == 10:
        return value
    groups = {}
    for card, mass in members[page:]:
        said = answer(card, disclosed, asked) if asked is not None else frozenset()
        groups.setdefault(said, []).append((card, mass))
    for said, group in groups.items():
        still_open = open_questions if said or asked is None else open_questions - {asked}
        value += continued(group, turn + 1, disclosed | said, still_open)
    return value


def continued(members, turn, disclosed, open_questions):
    """Return the value of the policy's own action: the plan's page and the question most can answer."""
    _, fewest = best_plan([mass for _, mass in members], turn)
    page = 1 if fewest < 0 else 10
    mass = {
        code: sum(mass for card, mass in members if answer(card, disclosed, code))
        for code in sorted(open_questions)
    }
    best = max(mass, key=lambda code: (mass[code], -code), default=None)
    asked = best if best is not None and mass[best] > 0 else None
    return policy_value(members, turn, asked, page, disclosed, open_questions)


def test_hypotheses_follow_the_belief():
    belief = belief_of([(0,), (1,), (2,)], [0.5, 0.3, 0.2], pending=0.25, refusal=0.25)
    codes, times = draw_particles(belief, 1, 0, 1000, ROLLOUTS, ROLLOUTS.answer_noise)
    assert codes.tolist() == sorted(set(codes.tolist()))
    assert times.sum() == 1000
    drawn = decoded(np.repeat(codes, times), ROLLOUTS.depth)
    assert np.bincount(drawn.targets) / 1000 == pytest.approx([0.5, 0.3, 0.2], abs=0.002)
    assert (drawn.override_turns > 0).mean() == pytest.approx(0.25, abs=0.01)
    assert drawn.refuses.mean() == pytest.approx(0.25, abs=0.01)
    assert not (drawn.refuses & (drawn.override_turns > 0)).any()
    assert set(drawn.override_turns.tolist()) == {0, 3, 4}
    answers = ROLLOUTS.depth + 1
    assert drawn.silences.min() == 0
    assert drawn.silences.max() < 1 << answers
    silent = (drawn.silences[:, None] >> np.arange(answers)) & 1
    assert silent.mean() == pytest.approx(ROLLOUTS.answer_noise, abs=0.03)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 12))
def test_the_heaviest_stand_in_order_ties_as_they_were(weights, room):
    order = np.empty(room, dtype=np.int64)
    active = np.arange(len(weights))[::2].copy()
    count = heaviest(active, np.array(weights, dtype=float), order)
    expected = sorted(active.tolist(), key=lambda k: -weights[k])[:room]
    assert order[:count].tolist() == expected


class TestAllocation:
    CARDS = ((0, 3), (1, 3), (2, 4), (0, 4), (1, 5), (2, 5))
    WEIGHTS = (0.3, 0.2, 0.15, 0.15, 0.1, 0.1)

    def test_halving_spends_the_budget_and_gives_up_actions(self):
        values = engine(budget=1200, limit=1200, pages=(1, 3, 10)).action_values(
            belief_of(self.CARDS, self.WEIGHTS), 1, [COLOR, FEATURE, OTHER]
        )
        played = values.rollouts
        assert 1100 <= played.sum() <= 1200
        assert len(set(played.tolist())) > 1
        assert played[values.best] == played.max()

    def test_alike_on_all_actions(self):
        values = engine(budget=1200, limit=1200, halving=False).action_values(
            belief_of(self.CARDS, self.WEIGHTS), 1, [COLOR, FEATURE]
        )
        assert values.rollouts.tolist() == [300] * 4

    def test_close_calls_get_more_up_to_the_limit(self):
        # Both questions tell the same: the pages are far apart, the questions never.
        belief = belief_of(((0, 3), (1, 4), (2, 5)), (0.4, 0.3, 0.3), pending=0.5)
        few = engine(budget=200, limit=2000, separation=0.0).action_values(belief, 1, [COLOR, FEATURE])
        many = engine(budget=200, limit=2000, separation=1e9).action_values(belief, 1, [COLOR, FEATURE])
        assert few.rollouts.sum() <= 200
        equal = np.allclose(np.diff(many.rewards[np.argsort(many.rollouts)[-2:]], axis=0), 0.0)
        assert equal or 1500 <= many.rollouts.sum() <= 2000

    def test_the_most_played_actions_meet_the_same_particles(self):
        values = engine(budget=1200, limit=2000).action_values(
            belief_of(self.CARDS, self.WEIGHTS, pending=0.3), 1, [COLOR, FEATURE, OTHER]
        )
        assert values.first_ply is None
        heard = ~np.isnan(values.rewards)
        # a conversation given up stays so, and those that go on are played in every batch
        assert (np.diff(heard.astype(int), axis=1) <= 0).all()
        assert heard[values.best].all()

    def test_first_ply_alone_plays_nothing(self):
        values = engine(method="first_ply").action_values(belief_of(self.CARDS, self.WEIGHTS), 1, [COLOR])
        assert values.rewards.shape == (2, 0)
        assert values.means.tolist() == values.first_ply.tolist()
        assert values.standard_errors.tolist() == [0.0, 0.0]

    def test_the_same_seed_gives_the_same_values(self):
        belief = belief_of(self.CARDS, self.WEIGHTS, pending=0.2)
        one, two = (engine(seed=3).action_values(belief, 1, [COLOR, FEATURE]) for _ in range(2))
        assert np.array_equal(one.rewards, two.rewards, equal_nan=True)
