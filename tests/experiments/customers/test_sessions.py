import json
import random
from collections import Counter

import numpy as np
import pytest

from experiments.customers.sessions import (
    DEVELOPMENT,
    HELD_OUT,
    TRAINING,
    Session,
    SessionError,
    draw_sessions,
    rake,
    read_sessions,
    split_of,
    target_weights,
    with_known_targets,
    write_sessions,
)
from index.products import Product

LINE = {
    "sample_id": "s1",
    "scenario_type": "buying",
    "ground_truth": {"parent_asin": " A "},
    "user_profile": {"average_prior_rating": 4.0},
}


def write(path, *records):
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    return path


def some_products(count=4_000):
    rng = random.Random(5)
    return [
        Product(
            f"P{n}",
            price=rng.choice([None, None, rng.lognormvariate(3, 0.8)]),
            average_rating=round(rng.uniform(2, 5), 1),
            rating_number=int(rng.lognormvariate(3, 2.5)),
        )
        for n in range(count)
    ]


def test_written_sessions_are_read_again(tmp_path):
    sessions = [Session("ä", "boundary", "A", {"preference_tags": ["fit"]}), Session("b", "buying", "B", {})]
    write_sessions(tmp_path / "s.jsonl", sessions)
    assert read_sessions(tmp_path / "s.jsonl") == sessions


def test_empty_lines_are_skipped_ids_stripped_unknown_fields_ignored(tmp_path):
    path = write(tmp_path / "s.jsonl", "", {**LINE, "difficulty_bucket": "easy"}, "  ")
    assert read_sessions(path) == [Session("s1", "buying", "A", {"average_prior_rating": 4.0})]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ({**LINE, "sample_id": 3}, "field sample_id is 3, not a text"),
        ({**LINE, "sample_id": ""}, "field sample_id is '', not a text"),
        (
            {**LINE, "scenario_type": "selling"},
            "field scenario_type is 'selling', not one of buying, browsing",
        ),
        ({**LINE, "ground_truth": "A"}, "field ground_truth is 'A', not an object"),
        ({**LINE, "ground_truth": {}}, "field ground_truth.parent_asin is missing"),
        ({**LINE, "user_profile": None}, "field user_profile is None, not an object"),
        ({key: LINE[key] for key in LINE if key != "user_profile"}, "field user_profile is missing"),
        ({**LINE, "sample_id": "s0"}, "field sample_id repeats 's0'"),
    ],
)
def test_a_bad_line_is_an_error_that_names_file_line_and_field(tmp_path, line, message):
    path = write(tmp_path / "some.jsonl", {**LINE, "sample_id": "s0"}, line)
    with pytest.raises(SessionError) as error:
        read_sessions(path)
    assert str(error.value).startswith(f"{path}, line 2: {message}")


def test_a_missing_or_empty_file_is_an_error(tmp_path):
    with pytest.raises(SessionError, match=r"cannot read sessions .*none\.jsonl"):
        read_sessions(tmp_path / "none.jsonl")
    with pytest.raises(SessionError, match="holds no session"):
        read_sessions(write(tmp_path / "empty.jsonl", ""))


def test_unknown_targets_are_an_error_by_name_unless_skipped():
    sessions = [Session(s, "buying", t, {}) for s, t in (("s1", "A"), ("s2", "X"), ("s3", "Y"))]
    with pytest.raises(SessionError, match=r"target 'X' of session 's2' .* \(and 1 more targets\)"):
        with_known_targets(sessions, {"A"})
    assert with_known_targets(sessions, {"A"}, skip=True) == sessions[:1]
    with pytest.raises(SessionError, match="no session has a target"):
        with_known_targets(sessions, {"B"}, skip=True)


def test_splits_are_disjoint():
    assert not set(DEVELOPMENT) & set(TRAINING)
    assert not set(TRAINING) & set(HELD_OUT)
    assert not set(DEVELOPMENT) & set(HELD_OUT)
    assert [split_of(seeds[-1]) for seeds in (DEVELOPMENT, TRAINING, HELD_OUT)] == [
        "development",
        "training",
        "held-out",
    ]
    for seed in (-1, HELD_OUT[-1] + 1):
        with pytest.raises(SessionError, match=f"seed {seed} is in no split"):
            split_of(seed)


@pytest.mark.parametrize(
    ("samples", "mix"),
    [
        (200, {"buying": 80, "browsing": 80, "intent_override": 30, "boundary": 10}),
        (20, {"buying": 8, "browsing": 8, "intent_override": 3, "boundary": 1}),
        # 4, 4, 1.5, 0.5: the one left goes to the first of the largest remainders
        (10, {"buying": 4, "browsing": 4, "intent_override": 2}),
        # 1.2, 1.2, 0.45, 0.15
        (3, {"buying": 1, "browsing": 1, "intent_override": 1}),
        # 2.8, 2.8, 1.05, 0.35
        (7, {"buying": 3, "browsing": 3, "intent_override": 1}),
        (1, {"buying": 1}),
    ],
)
def test_scenarios_stand_in_the_mix_of_the_public_set(samples, mix):
    drawn = draw_sessions(some_products(50), samples, seed=1)
    assert Counter(session.scenario for session in drawn) == mix


def test_a_draw_is_settled_by_its_arguments():
    products = some_products(300)
    first = draw_sessions(products, 40, TRAINING[1])
    assert first == draw_sessions(products, 40, TRAINING[1])
    assert first[:20] != draw_sessions(products, 40, TRAINING[2])[:20]
    scenarios = [session.scenario for session in first]
    assert scenarios != sorted(scenarios)
    others = draw_sessions(products, 40, HELD_OUT[1])
    assert not {s.sample_id for s in first} & {s.sample_id for s in others}


def test_profiles_have_the_form_of_the_public_ones(tmp_path):
    for session in draw_sessions(some_products(50), 50, 1):
        profile = session.profile
        assert set(profile) == {
            "average_prior_rating",
            "purchase_frequency",
            "rating_style",
            "preference_tags",
            "summary",
        }
        assert 1 <= profile["average_prior_rating"] <= 5
        assert isinstance(profile["average_prior_rating"], float)
        assert profile["purchase_frequency"].endswith("prior purchases")
        assert len(set(profile["preference_tags"])) == len(profile["preference_tags"]) >= 2


def share(products, weights, field, low, high):
    values = [getattr(product, field) for product in products]
    return sum(w for w, v in zip(weights, values, strict=True) if v is not None and low <= v < high)


def test_public_weights_hold_the_published_shares():
    products = some_products(20_000)
    weights = target_weights(products)
    assert weights.sum() == pytest.approx(1)
    inf = float("inf")
    for field, bands in {
        "rating_number": [
            (0, 10, 0.01),
            (10, 50, 0.025),
            (50, 200, 0.085),
            (200, 1000, 0.135),
            (1000, inf, 0.745),
        ],
        "price": [(0, 10, 0.05), (10, 25, 0.44), (25, 50, 0.325), (50, 100, 0.075), (100, inf, 0.0)],
        "average_rating": [(0, 3.5, 0.0), (3.5, 4.0, 0.08), (4.0, 4.5, 0.485), (4.5, inf, 0.435)],
    }.items():
        # the shares of price sum to 1 with those of missing prices, 0.11
        found = [share(products, weights, field, low, high) for low, high, _ in bands]
        assert found == pytest.approx([wanted for *_, wanted in bands], abs=1e-3)
    unpriced = sum(w for w, product in zip(weights, products, strict=True) if product.price is None)
    assert unpriced == pytest.approx(0.11, abs=1e-3)
    assert weights.max() <= 0.005 + 1e-6


def test_public_draws_follow_the_weights():
    products = some_products()
    reviews = {product.parent_asin: product.rating_number for product in products}
    drawn = draw_sessions(products, 2_000, 3)
    assert np.mean([reviews[session.target] >= 1000 for session in drawn]) == pytest.approx(0.745, abs=0.04)


def test_a_catalog_without_review_counts_is_drawn_by_its_other_bands():
    products = [Product("cheap", price=5.0), Product("fair", price=20), Product("dear", price=500.0)]
    # 0.05 and 0.44 of the two bands that the catalog has, the third has no share
    assert target_weights(products) == pytest.approx([5 / 49, 44 / 49, 0])


def test_a_catalog_in_bands_without_a_share_is_drawn_evenly():
    products = [Product("a", price=500.0, average_rating=1.0), Product("b", price=600, average_rating=2.0)]
    assert target_weights(products) == pytest.approx([0.5, 0.5])


def test_an_empty_band_passes_its_share_on():
    products = [
        Product("a", rating_number=20),
        Product("b", rating_number=20),
        Product("c", rating_number=60),
    ]
    # 0.025 and 0.085 of 0.11
    assert target_weights(products) == pytest.approx([2.5 / 22, 2.5 / 22, 8.5 / 11])


def test_raking_meets_two_margins_at_once():
    base = np.array([1.0, 2.0, 3.0, 4.0])
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    weights = rake(base, [(rows, np.array([0.3, 0.7])), (columns, np.array([0.6, 0.4]))])
    assert [weights[:2].sum(), weights[2:].sum()] == pytest.approx([0.3, 0.7])
    assert [weights[::2].sum(), weights[1::2].sum()] == pytest.approx([0.6, 0.4])
    # scaling rows and columns leaves the odds ratio as it was
    assert weights[0] * weights[3] / (weights[1] * weights[2]) == pytest.approx(4 / 6)


def test_no_product_takes_more_than_the_largest_share():
    band = np.zeros(4, dtype=int)
    weights = rake(np.array([1.0, 1.0, 2.0, 96.0]), [(band, np.array([1.0]))], largest_share=0.4)
    assert weights == pytest.approx([0.15, 0.15, 0.3, 0.4])


def test_the_last_margin_goes_before_the_largest_share():
    weights = rake(np.ones(3), [(np.array([0, 1, 1]), np.array([0.8, 0.2]))], largest_share=0.5)
    assert weights == pytest.approx([0.8, 0.1, 0.1])


def test_uniform_and_cold():
    products = [Product("a", rating_number=9), Product("b", rating_number=10), Product("c")]
    assert target_weights(products, "uniform") == pytest.approx([1 / 3] * 3)
    assert target_weights(products, "cold") == pytest.approx([0.5, 0, 0.5])
    with pytest.raises(SessionError, match="no product has fewer than 10 ratings"):
        draw_sessions(products[1:2], 5, 1, "cold")


def test_crowded_targets_stand_in_the_fewest_categories_that_hold_a_quarter():
    sizes = {"Boots": 4, "Hats": 2, "Belts": 4, "Socks": 1, "Ties": 9}
    products = [
        Product(f"{name}{n}", categories=(name,)) for name, size in sizes.items() for n in range(size)
    ]
    # Of 20 products, the nine ties alone are a quarter.
    assert target_weights(products, "crowded") == pytest.approx([0] * 11 + [1 / 9] * 9)
    # Of 11, three are wanted: the boots stand before the belts, which are as many.
    assert target_weights(products[:11], "crowded") == pytest.approx([1 / 4] * 4 + [0] * 7)
    # Of 36 that hold 5, 5, ... no category is enough: two hold ten, nine are wanted.
    even = [Product(f"{n}", categories=("Clothing", str(n % 7))) for n in range(35)] + [Product("last")]
    assert np.flatnonzero(target_weights(even, "crowded")).tolist() == [n for n in range(35) if n % 7 < 2]


def test_crowding_goes_by_the_words_that_a_shopper_names():
    paths = [("Men", "Shirts", "Polos"), ("Boys", "Shirts", "Polos"), ("Men", "Belts"), ("Women", "Dresses")]
    products = [Product(str(n), categories=path) for n, path in enumerate(paths)]
    assert target_weights(products, "crowded") == pytest.approx([1 / 2, 1 / 2, 0, 0])


def test_targets_that_share_their_card():
    products = [
        Product("a", features=("Imported", "100% Cotton", "Soft", "Tagless", "Long"), title="Tee"),
        Product("b", features=("Imported ", "100% Cotton;", "Soft", "Tagless", "Short"), title="Shirt"),
        Product("c", features=("Imported", "Soft", "100% Cotton", "Tagless"), title="Tee"),
        Product("d", features=("Imported", "100% Cotton", "Soft", "Tagless"), title="Red Tee"),
        Product("e", title="Mystery"),
        Product("f", title="Mystery"),
    ]
    # Cards: cotton | Imported | 100% Cotton | Soft of a and b; c has another order, d a color; e and f have
    # nothing but their title.
    assert target_weights(products, "shared_card") == pytest.approx([1 / 4, 1 / 4, 0, 0, 1 / 4, 1 / 4])
    with pytest.raises(SessionError, match="no two products have the same intent card"):
        draw_sessions(products[1:5], 5, 1, "shared_card")


def test_nothing_to_draw():
    with pytest.raises(SessionError, match="no product"):
        draw_sessions([], 5, 1)
    with pytest.raises(SessionError, match="at least one session"):
        draw_sessions([Product("a")], 0, 1)
