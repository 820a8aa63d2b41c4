"""The figures of a catalog, worked out by hand, and their comparison with the reference."""

import numpy as np
import pytest

from experiments.benchmark import statistics
from experiments.benchmark.statistics import compare, measure
from experiments.generator.reference import reference_figures
from index.products import Product

FEATURES = ("100% Cotton", "Imported", "Machine Wash", "Tagless neck")
SHIRTS = ("Clothing, Shoes & Jewelry", "Men", "Shirts", "T-Shirts")

# Cards: cotton | color: red | 100% Cotton | Imported
#        cotton | 100% Cotton | Imported | Machine Wash     (twice)
#        Metal: Brass | Size: 7 | budget around $9.5
#        Mystery
CATALOG = (
    Product("1", "Red Tee", FEATURES, ("Soft.",), 20.0, SHIRTS, {"Department": "Mens"}, 4.5, 5000, "Ashby"),
    Product("2", "Tee", FEATURES, (), None, SHIRTS, {"Department": "Mens"}, 4.2, 100, "Ashby"),
    Product("3", "Tee", FEATURES, (), None, SHIRTS, {"Department": "Mens"}, 3.0, 5, "Ashby"),
    Product("4", "Ring", (), (), 9.5, ("Jewelry", "Rings"), {"Metal": "Brass", "Size": "7"}, 4.0, 12),
    Product("5", "Mystery"),
)
WEIGHTS = (0.6, 0.1, 0.1, 0.1, 0.1)


@pytest.fixture(scope="module")
def figures():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "target_weights", lambda rows: np.array(WEIGHTS))
        yield measure(CATALOG)


def test_missing_fields(figures):
    assert figures["missing"] == pytest.approx(
        {"price": 0.6, "description": 0.8, "features": 0.4, "details": 0.2, "store": 0.4}
    )


def test_numbers(figures):
    assert figures["rating_number_bands"]["catalog"] == pytest.approx([0.4, 0.2, 0.2, 0.0, 0.2])
    assert figures["rating_number_bands"]["targets"] == pytest.approx([0.2, 0.1, 0.1, 0.0, 0.6])
    assert figures["rating_number_median"] == {"catalog": 12.0, "targets": 5000.0}
    assert figures["price_bands"]["catalog"] == pytest.approx([0.2, 0.2, 0.0, 0.0, 0.0])
    assert figures["price_bands"]["missing_catalog"] == pytest.approx(0.6)
    assert figures["average_rating_bands"]["catalog"] == pytest.approx([0.2, 0.0, 0.4, 0.2])


def test_cards(figures):
    assert figures["card_material"]["catalog"] == pytest.approx({"cotton": 0.6, "none": 0.4})
    assert figures["card_color"]["targets"] == pytest.approx({"red": 0.6, "none": 0.4})
    assert figures["card_length_4_share"] == pytest.approx(0.6)
    patterns = figures["card_class_patterns"]
    assert patterns["material material feature feature"] == pytest.approx({"catalog": 0.4, "targets": 0.2})
    assert patterns["material color material feature"] == pytest.approx({"catalog": 0.2, "targets": 0.6})
    # 200 targets: two material lines on the cards of 160, one or two features, a color line on 120.
    assert figures["target_constraint_classes_of_800"] == pytest.approx(
        {"feature": 240.0, "material": 320.0, "color": 120.0, "style": 0.0, "size": 20.0, "use_case": 0.0}
    )
    assert figures["products_that_share_their_card"] == pytest.approx(0.4)
    assert figures["largest_shared_card_class"] == 2


def test_lines(figures):
    assert figures["four_or_more_features_share"] == pytest.approx(0.6)
    frequent = {name: rows for name, rows in figures["frequent_features_rows"].items() if rows}
    assert frequent == {"imported": 3, "cotton": 3, "machine wash": 3, "100% cotton": 3}
    assert figures["detail_keys"]["distinct"] == 3
    assert figures["detail_keys"]["share_of_rows"]["Department"] == pytest.approx(0.6)
    # Four features and the department in three products; metal and size of the ring in one: 17 lines in all.
    assert figures["distinct_spec_strings"] == pytest.approx(
        {
            "count": 7,
            "share_in_one_product_only": 2 / 7,
            "distinct_over_all_features": 7 / 17,
            "products_with_a_unique_spec": 0.2,
        }
    )


def test_categories(figures):
    assert figures["coarse_categories"] == {
        "count": 3,
        "singletons": 2,
        "median_size": 1.0,
        "mean_size": pytest.approx(5 / 3),
        "largest": {"name": "Shirts T-Shirts", "size": 3},
        "buckets_that_hold_half": 1,
        "median_bucket_of_a_target": 3.0,
    }
    assert figures["leaf_category_shares"]["t-shirts"] == pytest.approx(0.6)


def test_what_a_shopper_gives_away(figures):
    # All slots weigh 4 x 0.6 + 2 x 4 x 0.1 + 3 x 0.1 + 0.1; alone are the color, the ring's and the last.
    frequency = figures["target_constraint_frequency_in_catalog"]
    assert frequency["unique"] == pytest.approx((0.6 + 0.3 + 0.1) / 3.6)
    assert frequency["at_most_10_rows"] == pytest.approx(1.0)
    assert frequency["median_rows"] == 3.0
    assert frequency["over_1000_rows"] == 0.0
    # The plain shirts say the same; the red one leads its category and its material.
    assert figures["targets_identified_by_category_and_four_constraints"] == pytest.approx(0.8)
    assert figures["targets_first_at_turn_1_at_best"] == pytest.approx(0.8 * 0.85)
    assert figures["known_attribute_coverage"] == pytest.approx({"size": 0.2, "style": 0.6})


def test_an_empty_catalog_has_no_figures():
    with pytest.raises(ValueError, match="empty"):
        measure([])


def test_the_reference_agrees_with_itself():
    rows = list(compare(reference_figures()))
    assert len(rows) > 100
    assert all(row.ok and row.published == row.measured for row in rows)


def test_a_difference_beyond_the_tolerance_is_told():
    measured = {"products": 50_000, "missing": {"price": 0.81, "details": 0.035}}
    by_name = {row.name: row for row in compare(measured)}
    assert not by_name["missing.price"].ok
    assert by_name["missing.details"].ok
    assert by_name["missing.store"].measured == 0.0


def test_counts_compare_only_at_the_size_of_the_reference():
    names = {row.name for row in compare({"products": 10_000})}
    assert "missing.price" in names
    assert not any(name.startswith(("frequent_features_rows", "coarse_categories")) for name in names)
