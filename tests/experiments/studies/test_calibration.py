"""What a planner believed in finished sessions, against its own traces and against hand-worked figures."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from experiments.__main__ import app
from experiments.customers.conversation import play
from experiments.customers.customer import Shopper
from experiments.customers.sessions import SCENARIOS, Session
from experiments.generator import write_catalog
from experiments.metrics.bootstrap import Bootstrap
from experiments.running.replay import replay, rows_by_id
from experiments.studies.calibration import STATEMENTS, Observations, fit, fitted_values, measure, observe
from planner.agent import Agent
from planner.config import PlannerConfig
from scoring.calibration import BeliefTable

CONFIG = PlannerConfig.load("robust")


@pytest.fixture(scope="module")
def played(catalog, products):
    """Return an agent and its sessions, one for each product in turn of scenario."""
    agent = Agent.on(catalog, CONFIG)
    known = set(map(str, catalog.ids))
    shoppers = [
        Shopper.of(Session(f"s{n}", SCENARIOS[n % 4], product.parent_asin, {}), product)
        for n, product in enumerate(products)
    ]
    return agent, [play(agent, shopper, known, shopper.session.sample_id) for shopper in shoppers]


def test_a_replay_believes_what_the_agent_believed(catalog, played):
    agent, results = played
    rows = rows_by_id(catalog)
    for result in results:
        traces = agent.trace(result.sample_id)
        turns = list(replay(agent.planner, result, rows))
        assert len(turns) == len(traces) == len(result.turns)
        for turn, trace in zip(turns, traces, strict=True):
            assert turn.state.evidence == trace.state.evidence
            assert turn.shown == trace.decision.rows
            np.testing.assert_array_equal(turn.belief.probabilities, trace.belief.probabilities)


def test_observations_say_what_was_believed_and_what_was_true(catalog, products, played):
    agent, results = played
    observed = observe(
        agent.planner, results, [product.parent_asin for product in products], rows_by_id(catalog)
    )
    place = 0
    for number, result in enumerate(results):
        for trace in agent.trace(result.sample_id):
            belief = trace.belief
            assert (observed.session[place], observed.turn[place]) == (number, trace.turn)
            assert observed.stated["top"][place] == belief.probabilities[0]
            assert observed.stated["ten"][place] == pytest.approx(belief.probabilities[:10].sum())
            assert observed.stated["page"][place] == pytest.approx(sum(trace.decision.scores))
            assert observed.true["top"][place] == (belief.rows[0] == number)
            assert observed.true["page"][place] == (number in trace.decision.rows)
            place += 1
    assert place == len(observed.turn)
    # the table gives the agent's own probabilities back
    from scoring.priors import log_prior

    scoring = CONFIG.scoring
    again = observed.table.probabilities(log_prior(catalog, scoring.prior), scoring.posterior)
    np.testing.assert_allclose(again[:, 0], observed.stated["top"])
    found = observed.table.truth >= 0
    assert (again[found, observed.table.truth[found]] > 0).all()


def observations(stated, true, session, turn):
    """Return observations of one scenario in which all statements are alike."""
    return Observations(
        session=np.array(session),
        turn=np.array(turn),
        scenario=np.array(["buying"] * len(session)),
        stated=dict.fromkeys(STATEMENTS, np.array(stated)),
        true=dict.fromkeys(STATEMENTS, np.array(true)),
        table=BeliefTable(np.zeros((4, 1), np.int64), np.zeros((4, 1)), np.array([0, 0, -1, 0])),
    )


def test_figures_overall_by_scenario_and_by_turn():
    found = measure(
        observations([0.5, 0.95, 0.5, 0.95], [False, True, True, False], [0, 0, 1, 1], [1, 2, 1, 2]),
        Bootstrap(resamples=200),
    )
    assert (found["turns"], found["sessions"], found["no_candidate"]) == (4, 2, 0.25)
    top = found["statements"]["top"]
    assert list(top) == ["overall", "buying", "turn 1", "turn 2"]
    # the bin of 0.5 is half true; that of 0.95 is half true as well: a gap of 0.45 in half of the turns
    assert top["overall"]["calibration_error"] == pytest.approx(0.225)
    assert top["overall"]["bins"] == [[2, 0.5, 0.5], [2, 0.95, 0.5]]
    assert top["turn 1"]["calibration_error"] == 0.0
    # either session alone: one gap of 0.5 and one of 0.05, or 0.5 and 0.95; both: 0 and 0.45
    assert top["overall"]["interval"] == [0.225, 0.725]
    assert top["turn 2"]["brier"] == pytest.approx((0.05**2 + 0.95**2) / 2)


def test_the_fit_lowers_the_loss_and_is_a_configuration(catalog, products, played):
    agent, results = played
    rows = rows_by_id(catalog)
    observed = observe(agent.planner, results, [product.parent_asin for product in products], rows)
    values = fitted_values(fit(agent.planner, observed))
    fitted = CONFIG.changed(values)
    assert fitted.scoring.posterior.temperature == values["scoring.posterior.temperature"]
    assert fitted.scoring.prior.strength == values["scoring.prior.strength"]
    assert fitted.rollouts == CONFIG.rollouts


def test_the_command_fits_on_training_and_reports_on_held_out_seeds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_catalog(tmp_path / "catalog.jsonl", 300, 0)
    options = ["calibrate", "--catalog", "catalog.jsonl", "--samples", "12", "--workers", "1", "--out", "out"]
    done = CliRunner().invoke(app, [*options, "--publish", "docs"])
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "out" / "calibration.json").read_text())
    assert report["seeds"] == {"training": 10_000, "held-out": 20_000}
    assert report["training"]["loss"][1] <= report["training"]["loss"][0]
    assert set(report["scores"]) == {"held-out", "uniform control", "departing"}
    fitted = PlannerConfig.load(tmp_path / "out" / "fitted.toml")
    values = {name: after for name, (_, after) in report["settings"].items()}
    assert fitted == CONFIG.changed(values)
    text = (tmp_path / "docs" / "calibration.md").read_text()
    assert "figures/calibration-overall.png" in text
    assert (tmp_path / "docs" / "figures" / "calibration-overall.png").exists()
    refused = CliRunner().invoke(app, [*options, "--training", "20000"])
    assert refused.exit_code == 2
    assert "seed 20000 is a held-out seed; a training seed is needed" in refused.stderr
