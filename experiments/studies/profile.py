"""Fitting the profile's weight to sessions: do shoppers want what their profile's tags say?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from experiments.customers.sessions import Session
from planner.planner import Planner
from scoring.evidence import ProfileTags
from scoring.priors import log_prior
from scoring.terms import holding


@dataclass(frozen=True, slots=True)
class Profiled:
    """Sessions with profiles over one catalog of N products, with T tags among them.

    Attributes:
        log_prior: (N,) what is believed before the profile is known.
        held: (N, T) which products' texts have each tag.
        tags: (S, T) the tags of each session's profile, at least one.
        targets: (S,) the rows of the sessions' targets.
    """

    log_prior: NDArray[np.float64]
    held: NDArray[np.bool_]
    tags: NDArray[np.bool_]
    targets: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ProfileFit:
    """What the tags of profiles are worth.

    Attributes:
        weight: nats for a product whose text has all tags of the profile.
        standard_error: of the weight, from the curvature of the likelihood.
        general: (T,) nats for a product whose text has each tag, whatever the profile says.
    """

    weight: float
    standard_error: float
    general: NDArray[np.float64]


def profiled(
    planner: Planner, samples: Sequence[Sequence[Session]], rows: Mapping[str, int]
) -> list[Profiled]:
    """Return samples of sessions with the profiles that their agent is given, the tags being those of all.

    Tags that the catalog knows no word for are left out, and so are sessions that have no others.

    Args:
        planner: knows the catalog, and what a tag may stand for in it.
        samples: sessions whose targets the catalog has.
        rows: catalog rows by product id.
    """
    names = sorted({tag for sessions in samples for session in sessions for tag in _tags(session)})
    held = {}
    for name in names:
        words = [
            word
            for item in planner.know({"preference_tags": [name]})
            if isinstance(item, ProfileTags)
            for word in item.words
        ]
        if words:
            held[name] = np.any([holding(word, planner.catalog) for word in words], axis=0)
    columns = np.array(list(held.values()), dtype=bool).reshape(len(held), len(planner.catalog)).T
    before = log_prior(planner.catalog, planner.config.scoring.prior)
    found = []
    for sessions in samples:
        kept = [session for session in sessions if not held.keys().isdisjoint(_tags(session))]
        tags = [[name in _tags(session) for name in held] for session in kept]
        targets = np.array([rows[session.target] for session in kept], dtype=np.int64)
        found.append(Profiled(before, columns, np.array(tags, dtype=bool), targets))
    return found


def _tags(session: Session) -> list[str]:
    tags: list[str] = session.profile.get("preference_tags", [])
    return tags


def fit_profile(sessions: Profiled, ridge: float) -> ProfileFit:
    """Return the weight of the share of a profile's tags that a product's text has, by maximum likelihood.

    A conditional logit over the catalog (McFadden 1974), as the prior's, of ``log_prior + held @ general +
    weight * share``. Targets are popular and popular products say much; ``general`` takes that up, so that
    the weight is about the tags that were given, against those that were not. ``ridge`` is as for the prior.
    """
    groups = _groups(sessions)
    total = len(sessions.targets)

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        nats, gradient = ridge * float(values @ values), 2.0 * ridge * values
        base = sessions.log_prior + sessions.held @ values[:-1]
        for features, targets in groups:
            scores = base + features[:, -1] * values[-1]
            norm = float(logsumexp(scores))
            expected = np.exp(scores - norm) @ features
            nats -= (float(scores[targets].sum()) - len(targets) * norm) / total
            gradient = gradient - (features[targets].sum(axis=0) - len(targets) * expected) / total
        return nats, gradient

    fitted = minimize(loss, np.zeros(sessions.held.shape[1] + 1), jac=True, method="L-BFGS-B").x
    information = np.zeros((len(fitted), len(fitted)))
    for features, targets in groups:
        scores = sessions.log_prior + features @ fitted
        shares = np.exp(scores - logsumexp(scores))
        centred = features - shares @ features
        information += len(targets) * (centred * shares[:, None]).T @ centred
    information += 2.0 * ridge * total * np.eye(len(fitted))
    error = float(np.sqrt(np.linalg.inv(information)[-1, -1]))
    return ProfileFit(float(fitted[-1]), error, fitted[:-1])


def profile_log_loss(sessions: Profiled, weight: float, general: NDArray[np.float64]) -> float:
    """Return the mean surprise in nats of the sessions' targets."""
    values = np.append(general, weight)
    losses = [
        logsumexp(scores) - scores[targets]
        for features, targets in _groups(sessions)
        for scores in (sessions.log_prior + features @ values,)
    ]
    return float(np.concatenate(losses).mean())


def _groups(sessions: Profiled) -> Sequence[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Return for each set of tags (N, T + 1) each tag held and the share of the set, and its targets."""
    sets, of_session = np.unique(sessions.tags, axis=0, return_inverse=True)
    held = sessions.held.astype(np.float64)
    return [
        (np.column_stack([held, held[:, tags].mean(axis=1)]), sessions.targets[of_session.ravel() == number])
        for number, tags in enumerate(sets)
    ]
