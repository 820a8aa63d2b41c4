"""The planner: a catalog and a configuration; beliefs, action values and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from index.catalog import Catalog
from planner.config import PlannerConfig
from planner.dialogue import DialogueState
from planner.explain import Explanation, explain
from planner.questions import splitting_question, worthwhile_questions
from planner.trace import Decision, TurnTrace
from planner.understanding.profile import profile_evidence
from planner.understanding.reader import MessageReader
from planner.understanding.reading import Reading
from rollouts.engine import ActionValues, RolloutEngine
from rollouts.kernels import NO_QUESTION, PLANNED
from rollouts.reward import PAGE_LIMIT, singles_first
from scoring.evidence import Evidence
from scoring.posterior import Belief, Scorer


class Planner:
    """Plans conversations over one catalog. Stateless: the dialogue's state is an argument.

    Args:
        catalog: the indexed catalog.
        config: a preset's name, the path of a TOML file, or a configuration.

    Raises:
        planner.config.ConfigError: the configuration cannot be used.
    """

    def __init__(self, catalog: Catalog, config: str | Path | PlannerConfig = "robust") -> None:
        self.catalog = catalog
        self.config = config if isinstance(config, PlannerConfig) else PlannerConfig.load(config)
        self.reader = MessageReader(catalog)
        self.scorer = Scorer(catalog, self.config.scoring)
        scoring = self.config.scoring
        self.engine = RolloutEngine(catalog.lines, self.config.rollouts, scoring.shopper, scoring.straying)

    def know(self, profile: object) -> Evidence:
        """Return what a shopper's profile shows, whatever it may be: the start of a dialogue's evidence."""
        return profile_evidence(profile, self.reader.words)

    def understand(self, message: str, state: DialogueState) -> Reading:
        """Return what a message shows in a dialogue that stands at ``state``."""
        return self.reader.read(
            message, first=state.messages == 0, asked=state.last_question, category=state.category
        )

    def dialogue(
        self,
        messages: Sequence[str],
        replies: Sequence[tuple[int | None, tuple[int, ...]]] = (),
        profile: object = None,
    ) -> DialogueState:
        """Return the state after messages, with the replies given to the first of them.

        Args:
            messages: the shopper's words, in order.
            replies: for each message but those at the end, the attribute asked and the rows shown.
            profile: the shopper's, ``None`` where nothing is known.
        """
        state = DialogueState(evidence=self.know(profile))
        for place, message in enumerate(messages):
            state = state.heard(self.understand(message, state).evidence)
            if place < len(replies):
                state = state.replied(*replies[place])
        return state

    def belief(self, state: DialogueState | Sequence[str]) -> Belief:
        """Return the belief in a dialogue, or after messages to which nothing was asked or shown."""
        if not isinstance(state, DialogueState):
            state = self.dialogue(state)
        return self.scorer.belief(state.evidence, state.messages)

    def action_values(self, belief: Belief, state: DialogueState) -> ActionValues:
        """Return the value of every question and page that may come next, by simulated conversations."""
        questions = worthwhile_questions(belief, state, self.catalog.attributes, self.config.questions)
        return self.engine.action_values(belief, state.messages, questions)

    def choose(self, belief: Belief, state: DialogueState) -> tuple[ActionValues | None, Decision]:
        """Return what is done by the configured method, with the values it rests on where there are any."""
        if self.config.rollouts.method == "splitting":
            singles, _ = singles_first(belief.probabilities[:PLANNED], state.messages)
            return None, self.decide_by_splitting(belief, state, 1 if singles else PAGE_LIMIT)
        values = self.action_values(belief, state)
        return values, self.decide(belief, values)

    def decide(self, belief: Belief, values: ActionValues) -> Decision:
        """Return the best action by its simulated value."""
        best = values.best
        question = int(values.questions[best])
        return self._decision(belief, None if question == NO_QUESTION else question, int(values.pages[best]))

    def decide_by_splitting(self, belief: Belief, state: DialogueState, page: int = PAGE_LIMIT) -> Decision:
        """Return the question that splits the belief best, with a page of a given size: no simulation."""
        questions = worthwhile_questions(belief, state, self.catalog.attributes, self.config.questions)
        return self._decision(belief, splitting_question(belief, questions), page)

    def explain(self, trace: TurnTrace, rows: tuple[int, ...] | None = None) -> Explanation:
        """Return why a turn of a conversation with this planner went as it did.

        Args:
            trace: the turn.
            rows: the products to explain; by default those shown.
        """
        return explain(trace, self.scorer, rows)

    def _decision(self, belief: Belief, question: int | None, page: int) -> Decision:
        rows = tuple(belief.rows[:page].tolist())
        return Decision(question, rows, tuple(belief.probabilities[:page].tolist()))
