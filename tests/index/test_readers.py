from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.cards import category_words
from index.fieldmap import KIT, FieldMap, FieldMapError, LastWords, known_field_maps
from index.products import Product
from index.readers import (
    PROBLEMS_KEPT,
    CatalogError,
    Problem,
    ReadReport,
    iter_products,
    read_products,
)

REAL = Path(__file__).parents[2].parent / "shared" / "real"

RECORD: dict[str, object] = {
    "parent_asin": "B1",
    "title": "Wool Scarf",
    "features": ["Soft", "Warm"],
    "description": ["For winter."],
    "price": 19.5,
    "categories": ["Clothing, Shoes & Jewelry", "Women", "Scarves"],
    "details": {"Department": "womens", "Size": {"Length": 2}},
    "average_rating": 4.5,
    "rating_number": 12,
    "store": "Knitters",
}
PRODUCT = Product(
    parent_asin="B1",
    title="Wool Scarf",
    features=("Soft", "Warm"),
    description=("For winter.",),
    price=19.5,
    categories=("Clothing, Shoes & Jewelry", "Women", "Scarves"),
    details={"Department": "womens", "Size": {"Length": 2}},
    average_rating=4.5,
    rating_number=12,
    store="Knitters",
)


def jsonl(folder: Path, *lines: str | bytes | dict[str, object], name: str = "catalog.jsonl") -> Path:
    path = folder / name
    raw = [json.dumps(line) if isinstance(line, dict) else line for line in lines]
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in raw) + b"\n")
    return path


def one(folder: Path, **changed: object) -> tuple[Product, list[tuple[str, str, str]]]:
    """Read one record with some fields changed: the product, and (field, expected, found) of the problems."""
    (product,), report = read_products(jsonl(folder, RECORD | changed))
    assert report.dropped == len(report.problems)
    return product, [(problem.field, problem.expected, problem.found) for problem in report.problems]


def table(folder: Path, text: str, name: str = "shop.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


# Formats


def test_json_lines_in_the_kits_form(tmp_path: Path) -> None:
    flat = RECORD | {"parent_asin": "B2", "details": {"Color": "Red"}}
    products, report = read_products(jsonl(tmp_path, RECORD, "", flat))
    assert products[0] == PRODUCT
    assert products[1].details == {"Color": "Red"}
    assert report == ReadReport(products=2)


@pytest.mark.parametrize("name", ["c.jsonl", "c.json", "c.ndjson", "C.JSONL", "c", "c.txt"])
def test_json_lines_by_suffix_or_content(tmp_path: Path, name: str) -> None:
    assert read_products(jsonl(tmp_path, RECORD, name=name))[0] == [PRODUCT]


@pytest.mark.parametrize("name", ["c.jsonl.gz", "c.json.gz", "c.gz", "c.bin"])
def test_gzipped_json_lines(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(json.dumps(RECORD).encode()))
    assert read_products(path)[0] == [PRODUCT]


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    for name in ("c.jsonl", "c"):
        path = jsonl(tmp_path, b"\xef\xbb\xbf" + json.dumps(RECORD).encode(), name=name)
        assert read_products(path) == ([PRODUCT], ReadReport(products=1))


CSV = (
    "parent_asin,title,features,description,price,categories,details,average_rating,rating_number,store\n"
    'B1,Wool Scarf,"[""Soft"", ""Warm""]",For winter.,19.5,'
    '"[""Clothing, Shoes & Jewelry"", ""Women"", ""Scarves""]",'
    '"{""Department"": ""womens"", ""Size"": {""Length"": 2}}",4.5,12, Knitters \n'
)


@pytest.mark.parametrize("name", ["c.csv", "c.tab"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_in_the_kits_columns(tmp_path: Path, name: str, mark: str) -> None:
    assert read_products(table(tmp_path, mark + CSV, name)) == ([PRODUCT], ReadReport(products=1))


def test_gzipped_csv(tmp_path: Path) -> None:
    path = tmp_path / "c.csv.gz"
    path.write_bytes(gzip.compress(CSV.encode()))
    assert read_products(path)[0] == [PRODUCT]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_lines_are_counted_through_cells_of_several_lines(tmp_path: Path, end: str) -> None:
    rows = ["parent_asin,title,price", '1,"two', 'lines",abc', "", ",no id,5", '2,"a', "b", 'c",-1', "3,x,1"]
    products, report = read_products(table(tmp_path, end.join(rows)))
    assert [product.title for product in products] == [f"two{end}lines", f"a{end}b{end}c", "x"]
    assert [str(problem) for problem in report.problems] == [
        "shop.csv, line 2, field price: expected a number, found 'abc'",
        "shop.csv, line 5, field parent_asin: expected an id, found nothing",
        "shop.csv, line 6, field price: expected a number from 0 to 1e+12, found '-1'",
    ]


def test_csv_rows_that_do_not_fit_the_header_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(
        b"parent_asin,title,price\n1,a,1\n2,b\n3,c,3,4\n4,d,4,,\n5,\xff,5\n"
        + b"6,"
        + b"x" * 140_000
        + b",6\n7,\xc3\xa9,7\n"
    )
    products, report = read_products(path)
    assert [(product.parent_asin, product.price) for product in products] == [("1", 1), ("4", 4), ("7", 7)]
    assert [(problem.line, problem.expected) for problem in report.problems] == [
        (3, "3 cells"),
        (4, "3 cells"),
        (6, "UTF-8 text"),
        (7, "a CSV row"),
    ]
    assert (report.products, report.skipped) == (3, 4)


def parquet(folder: Path, columns: dict[str, object], name: str = "c.parquet") -> Path:
    pq.write_table(pa.table(columns), folder / name)
    return folder / name


@pytest.mark.parametrize("name", ["c.parquet", "c.pq", "c"])
def test_parquet_with_lists_and_structs(tmp_path: Path, name: str) -> None:
    columns = {key: [value] for key, value in RECORD.items()} | {"picture": [b"\x00"]}
    assert read_products(parquet(tmp_path, columns, name)) == ([PRODUCT], ReadReport(products=1))


def test_parquet_nulls_maps_decimals_and_row_numbers(tmp_path: Path) -> None:
    rows = 1500
    details = [{"Color": "Red", "Size": None}, {"Color": None, "Size": "M"}, None]
    path = parquet(
        tmp_path,
        {
            "parent_asin": pa.array([float(number) for number in range(1, rows + 1)]),
            "price": pa.array([Decimal("1.50"), Decimal("-2.00"), *[None] * (rows - 2)]),
            "features": pa.array([["a", None], *[None] * (rows - 1)]),
            "details": pa.array((details * rows)[:rows]),
            "rating_number": pa.array([3.0, *[None] * (rows - 2), 2.5]),
        },
    )
    products, report = read_products(path)
    assert len(products) == rows
    first = Product(parent_asin="1", price=1.5, features=("a",), details={"Color": "Red"}, rating_number=3)
    assert products[:3] == [first, Product(parent_asin="2", details={"Size": "M"}), Product(parent_asin="3")]
    assert [(problem.line, problem.field, problem.expected) for problem in report.problems] == [
        (2, "price", "a number from 0 to 1e+12"),
        (1500, "rating_number", "a whole number"),
    ]
    mapped = pa.array([[("Color", "Red")]], type=pa.map_(pa.string(), pa.string()))
    whole = pa.array([Decimal("7")])
    (product,), _ = read_products(
        parquet(tmp_path, {"parent_asin": ["1"], "details": mapped, "price": whole})
    )
    assert (product.details, repr(product.price)) == ({"Color": "Red"}, "7")


def test_parquet_text_that_is_not_utf8_costs_its_row_only(tmp_path: Path) -> None:
    titles = pa.array([b"a", b"\xff", b"c"]).view(pa.string())
    products, report = read_products(parquet(tmp_path, {"parent_asin": ["1", "2", "3"], "title": titles}))
    assert [product.title for product in products] == ["a", "c"]
    assert [str(problem) for problem in report.problems] == [
        "c.parquet, line 2: expected UTF-8 text, found other bytes"
    ]


# Unusable lines


def test_unusable_lines_are_skipped_counted_and_named(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path,
        RECORD,
        '{"parent_asin": "B2", "title": }',
        b'{"parent_asin": "B3", "title": "\xff"}',
        '["B4"]',
        {"title": "no id"},
        {"parent_asin": "  "},
        {"parent_asin": None},
        {"parent_asin": ["B5"]},
        {"parent_asin": True},
        {"parent_asin": " B1 ", "title": "again"},
        '{"parent_asin": "B6", "details": ' + "[" * 100_000 + "]" * 100_000 + "}",
        {"parent_asin": "B7"},
        '{"parent_asin": "B8", "titl',
    )
    products, report = read_products(path)
    assert products == [PRODUCT, Product(parent_asin="B7")]
    assert (report.products, report.skipped, report.duplicates, report.dropped) == (2, 10, 1, 0)
    assert [(problem.line, problem.field, problem.expected) for problem in report.problems] == [
        (2, "", "a JSON object"),
        (3, "", "UTF-8 text"),
        (4, "", "a JSON object"),
        *[(line, "parent_asin", "an id") for line in range(5, 10)],
        (10, "parent_asin", "an id not seen before"),
        (11, "", "a JSON object"),
        (13, "", "a JSON object"),
    ]
    found = [problem.found for problem in report.problems]
    assert found[1] == "byte 0xff at position 33"
    assert found[2:9] == ["['B4']", "nothing", "'  '", "nothing", "['B5']", "True", "'B1'"]


def test_the_report_keeps_the_first_problems_and_counts_all(tmp_path: Path) -> None:
    lines = [{"parent_asin": str(number), "price": "abc"} for number in range(25)]
    products, report = read_products(jsonl(tmp_path, *lines, {"parent_asin": ""}))
    assert len(products) == report.dropped == 25
    assert [problem.line for problem in report.problems] == list(range(1, PROBLEMS_KEPT + 1))
    assert report.counts == {("price", "a number"): 25, ("parent_asin", "an id"): 1}
    lines = report.summary().splitlines()
    assert lines[:4] == [
        "25 products read; 1 lines skipped, 0 duplicates, 25 fields dropped",
        "  25 x field price: expected a number",
        "  1 x field parent_asin: expected an id",
        "  catalog.jsonl, line 1, field price: expected a number, found 'abc'",
    ]
    assert lines[-1] == "  and 6 more"
    assert len(lines) == 3 + PROBLEMS_KEPT + 1


def test_a_problem_reads_as_a_sentence() -> None:
    assert (
        str(Problem("catalog.jsonl", 12, "price", "a number", "'abc'"))
        == "catalog.jsonl, line 12, field price: expected a number, found 'abc'"
    )
    assert str(Problem("c.csv", 3, "", "3 cells", "2")) == "c.csv, line 3: expected 3 cells, found 2"


# Fields


def test_missing_null_and_extra_fields_are_silent(tmp_path: Path) -> None:
    nulls: dict[str, object] = dict.fromkeys(RECORD)
    path = jsonl(tmp_path, {"parent_asin": "1", "extra": 1}, nulls | {"parent_asin": "2"})
    assert read_products(path) == (
        [Product(parent_asin="1"), Product(parent_asin="2")],
        ReadReport(products=2),
    )


def test_blank_values_are_missing(tmp_path: Path) -> None:
    product, problems = one(tmp_path, features=" ", details="", price=" ", rating_number="", store=" ")
    assert (product.features, product.details, product.price, product.store) == ((), {}, None, None)
    assert (product.rating_number, problems) == (0, [])


@pytest.mark.parametrize(
    ("field", "given", "expected"),
    [
        ("parent_asin", 17, "17"),
        ("parent_asin", 17.0, "17"),
        ("parent_asin", " B1\t", "B1"),
        ("title", 501, "501"),
        ("store", 3.5, "3.5"),
        ("features", "Soft", ("Soft",)),
        ("features", '["Soft", "Warm"]', ("Soft", "Warm")),
        ("features", "[Sale] Soft", ("[Sale] Soft",)),
        ("features", "[Sale]", ("[Sale]",)),
        ("features", '{"a": 1}', ('{"a": 1}',)),
        ("features", [1, 2.5, "x", None], ("1", "2.5", "x")),
        ("description", "A scarf.", ("A scarf.",)),
        ("categories", "Women", ("Women",)),
        ("details", '{"Color": "Red"}', {"Color": "Red"}),
        ("details", {}, {}),
        ("price", 19, 19),
        ("price", 19.0, 19.0),
        ("price", 0, 0),
        ("price", "19", 19),
        ("price", "19.99", 19.99),
        ("price", "19.90", 19.9),
        ("price", "$1,299.00", 1299.0),
        ("price", "$ 1,299", 1299),
        ("average_rating", 4, 4.0),
        ("average_rating", "4.5", 4.5),
        ("average_rating", 0, 0.0),
        ("average_rating", 5.0, 5.0),
        ("rating_number", 12.0, 12),
        ("rating_number", "1,234", 1234),
    ],
)
def test_values_are_coerced_where_nothing_is_lost(
    tmp_path: Path, field: str, given: object, expected: object
) -> None:
    product, problems = one(tmp_path, **{field: given})
    value = getattr(product, field)
    assert (value, type(value), problems) == (expected, type(expected), [])


PRICE_RANGE = "a number from 0 to 1e+12"


@pytest.mark.parametrize(
    ("field", "given", "kept", "expected", "found"),
    [
        ("title", ["a"], "", "a text", "['a']"),
        ("title", True, "", "a text", "True"),
        ("title", math.nan, "", "a text", "nan"),
        ("store", {"a": 1}, None, "a text", "{'a': 1}"),
        ("features", 7, (), "a list of texts", "7"),
        ("features", {"a": 1}, (), "a list of texts", "{'a': 1}"),
        ("features", ["a", True, ["b"], 2], ("a", "2"), "a list of texts", "['a', True, ['b'], 2]"),
        ("features", ["a", math.inf], ("a",), "a list of texts", "['a', inf]"),
        ("features", "['a', 'b']", (), "a list of texts as JSON", "\"['a', 'b']\""),
        ("categories", [["Women"]], (), "a list of texts", "[['Women']]"),
        ("details", ["a"], {}, "a mapping with text keys", "['a']"),
        ("details", "Red", {}, "a mapping with text keys", "'Red'"),
        ("details", 1, {}, "a mapping with text keys", "1"),
        ("price", "abc", None, "a number", "'abc'"),
        ("price", "$10 - $20", None, "a number", "'$10 - $20'"),
        ("price", "12,34", None, "a number", "'12,34'"),
        ("price", True, None, "a number", "True"),
        ("price", [5], None, "a number", "[5]"),
        ("price", -1, None, PRICE_RANGE, "-1"),
        ("price", "-1.50", None, PRICE_RANGE, "'-1.50'"),
        ("price", math.nan, None, PRICE_RANGE, "nan"),
        ("price", math.inf, None, PRICE_RANGE, "inf"),
        ("price", 10**400, None, PRICE_RANGE, None),
        ("average_rating", 5.5, None, "a number from 0 to 5", "5.5"),
        ("average_rating", -0.5, None, "a number from 0 to 5", "-0.5"),
        ("average_rating", "$4", None, "a number", "'$4'"),
        ("average_rating", False, None, "a number", "False"),
        ("rating_number", -3, 0, "a number from 0 to 2.14748e+09", "-3"),
        ("rating_number", 2**40, 0, "a number from 0 to 2.14748e+09", "1099511627776"),
        ("rating_number", 2.5, 0, "a whole number", "2.5"),
        ("rating_number", "many", 0, "a number", "'many'"),
    ],
)
def test_values_of_another_type_are_dropped_and_named(
    tmp_path: Path, field: str, given: object, kept: object, expected: str, found: str | None
) -> None:
    product, problems = one(tmp_path, **{field: given})
    assert getattr(product, field) == kept
    ((name, wanted, shown),) = problems
    assert (name, wanted) == (field, expected)
    assert found is None or shown == found
    others = [name for name in RECORD if name != field]
    assert all(getattr(product, name) == getattr(PRODUCT, name) for name in others)


def test_a_long_value_is_shown_shortened(tmp_path: Path) -> None:
    _, ((_, _, found),) = one(tmp_path, price="x" * 10_000)
    assert len(found) <= 60


def test_details_nested_too_deep_to_print_are_dropped(tmp_path: Path) -> None:
    deep: object = "x"
    for _ in range(40):
        deep = {"a": deep}
    product, problems = one(tmp_path, details={"Deep": deep, "Color": "Red", "List": [1, [2]]})
    assert product.details == {"Color": "Red", "List": [1, [2]]}
    assert [(name, expected) for name, expected, _ in problems] == [
        ("details", "values nested at most 32 deep")
    ]


def test_lone_surrogates_become_replacement_characters(tmp_path: Path) -> None:
    line = '{"parent_asin": "1", "title": "a\\ud800b \\ud83d\\ude00", "details": {"\\udc00": ["\\udfff"]}}'
    (product,), report = read_products(jsonl(tmp_path, line))
    assert (product.title, product.details) == ("a\ufffdb \U0001f600", {"\ufffd": ["\ufffd"]})
    assert report == ReadReport(products=1)


# Files that give nothing


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("c.jsonl", b"", "the file is empty"),
        ("c.jsonl", b"\n \n", "no usable product in it"),
        ("c.jsonl", b"{}x\n", r"no usable product; first problem: c\.jsonl, line 1: expected a JSON object"),
        (
            "c.jsonl",
            b'{"parent_asin": ""}\n',
            "no usable product; first problem: c.jsonl, line 1, field parent_asin",
        ),
        (
            "c.jsonl",
            b'{"sku": 1, "name": "a"}\n',
            r"no field map fits its columns \('sku', 'name'\).*configs",
        ),
        ("c.json", b"[\n1\n]\n", "no usable product; first problem: c.json, line 1"),
        ("c.csv", b"sku,name\n1,a\n", r"no field map fits its columns \('sku', 'name'\).*configs/catalogs/"),
        ("c.csv", b"parent_asin,title\n", "no usable product in it"),
        ("c.csv", b"\n\n", "a CSV header is expected"),
        ("c.csv", b"\xff,b\n1,2\n", "no field map fits"),
        ("c.csv", b"x" * 200_000, "not a CSV header"),
        ("c.jsonl.gz", b"not gzip", "cannot be read|damaged"),
        ("c.jsonl.gz", gzip.compress(b'{"parent_asin": "1"}\n' * 999)[:-20], "cannot be read|damaged"),
        ("c.csv.gz", gzip.compress(b"parent_asin\n1\n")[:-9], "cannot be read|damaged"),
        ("c.gz", gzip.compress(b""), "a CSV header is expected"),
        ("c.parquet", b"PAR1 and no more", "cannot be read"),
        ("c.parquet", b"x", "cannot be read"),
    ],
)
def test_a_file_without_a_product_is_an_error(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=reason) as caught:
        read_products(path)
    assert str(path) in str(caught.value)


def test_parquet_damaged_in_its_data_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    ids = [f"id {number}" for number in range(3000)]
    pq.write_table(pa.table({"parent_asin": ids}), path, compression="gzip", use_dictionary=False)
    raw = bytearray(path.read_bytes())
    raw[200:1200] = bytes(1000)
    path.write_bytes(raw)
    with pytest.raises(CatalogError, match=r"c\.parquet: damaged after"):
        read_products(path)


def test_no_file_and_a_folder_are_errors_at_the_call(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"absent\.jsonl: no such file"):
        iter_products(tmp_path / "absent.jsonl", ReadReport())
    with pytest.raises(CatalogError, match="not a file"):
        iter_products(tmp_path, ReadReport())


def test_a_relative_path_is_resolved_at_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jsonl(tmp_path, RECORD)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    products = iter_products("catalog.jsonl", ReadReport())
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert list(products) == [PRODUCT]


def test_products_are_streamed(tmp_path: Path) -> None:
    report = ReadReport()
    products = iter_products(jsonl(tmp_path, RECORD, {"parent_asin": "B2"}, "broken"), report)
    assert next(products) == PRODUCT
    assert (report.products, report.skipped) == (1, 0)
    assert [product.parent_asin for product in products] == ["B2"]
    assert (report.products, report.skipped) == (2, 1)


# Any JSON object

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["19.99", "$1,299.00", "-3", '["a", 1]', '{"a": 1}', "['a']", "[", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
json_objects = st.fixed_dictionaries({}, optional=dict.fromkeys(RECORD, json_values))


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(record=json_objects)
def test_any_json_object_gives_a_typed_product_or_a_named_problem(
    tmp_path: Path, record: dict[str, object]
) -> None:
    products, report = read_products(jsonl(tmp_path, {"parent_asin": "\x00 sound"}, record))
    assert products[0] == Product(parent_asin="\x00 sound")
    if len(products) == 1:
        assert [(problem.line, problem.field) for problem in report.problems] == [(2, "parent_asin")]
        assert (report.skipped, report.dropped) == (1, 0)
        return
    product = products[1]
    assert type(product.parent_asin) is str
    assert product.parent_asin.strip()
    assert type(product.title) is str
    for lines in (product.features, product.description, product.categories):
        assert type(lines) is tuple
        assert all(type(line) is str for line in lines)
    assert product.price is None or (type(product.price) in (int, float) and 0 <= product.price <= 1e12)
    assert isinstance(product.details, Mapping)
    assert all(type(key) is str for key in product.details)
    assert product.average_rating is None or (
        type(product.average_rating) is float and 0 <= product.average_rating <= 5
    )
    assert type(product.rating_number) is int
    assert product.rating_number >= 0
    assert product.store is None or (type(product.store) is str and product.store.strip())
    json.dumps(
        [product.title, product.features, product.categories, dict(product.details)], ensure_ascii=False
    ).encode()
    assert len(report.problems) == report.dropped
    for problem in report.problems:
        assert problem.line == 2
        assert record[problem.field] is not None
    for name in ("title", "price", "average_rating", "store"):
        if record.get(name) not in (None, "") and not str(record[name]).isspace():
            named = name in {problem.field for problem in report.problems}
            assert named == (getattr(product, name) in (None, ""))


# Field maps

SHOP = """\
parent_asin = "sku"
title = "name"
features = ["about", "more"]
price = "cost"
price_scale = 0.5
root_categories = ["Clothing"]
categories = ["who", { column = "name", last_words = 2, cut_at = ["with"], stop_words = ["blue"] }]
store = "maker"

[details]
Color = "colour"
"""


def shop_map(folder: Path, text: str = SHOP) -> Path:
    path = folder / "shop.toml"
    path.write_text(text)
    return path


def test_a_field_map_reads_a_foreign_table(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "sku,name,about,more,cost,who,maker,colour,unused\n"
        '7,Acme Wide Brim HAT with Band,Soft felt,"[""Warm"", ""Light""]","1,001",Men,Acme, Blue ,x\n'
        "8,,,,,,,,\n",
    )
    expected = [
        Product(
            parent_asin="7",
            title="Acme Wide Brim HAT with Band",
            features=("Soft felt", "Warm", "Light"),
            price=500.5,
            categories=("Clothing", "Men", "Brim Hat"),
            details={"Color": "Blue"},
            store="Acme",
        ),
        Product(parent_asin="8", categories=("Clothing",)),
    ]
    fields = FieldMap.load(shop_map(tmp_path))
    assert read_products(path, fields) == (expected, ReadReport(products=2))
    assert read_products(path, shop_map(tmp_path))[0] == expected
    assert read_products(path, str(shop_map(tmp_path)))[0] == expected


def test_a_field_map_reads_foreign_json_lines(tmp_path: Path) -> None:
    fields = FieldMap(parent_asin="sku", details="facts", features=("lines",), average_rating="stars")
    record = {"sku": 7, "facts": {"Color": "Red"}, "lines": ["a", "b"], "stars": 4}
    expected = Product(parent_asin="7", details={"Color": "Red"}, features=("a", "b"), average_rating=4.0)
    assert read_products(jsonl(tmp_path, record), fields)[0] == [expected]


def test_a_scaled_price_is_rounded_to_cents(tmp_path: Path) -> None:
    fields = FieldMap(parent_asin="sku", price="cost", price_scale=0.012)
    path = jsonl(tmp_path, {"sku": 1, "cost": 791}, {"sku": 2, "cost": "free"})
    products, report = read_products(path, fields)
    assert [product.price for product in products] == [9.49, None]
    assert report.counts == {("price", "a number"): 1}


def test_columns_that_the_field_map_reads_must_be_there(tmp_path: Path) -> None:
    path = table(tmp_path, "sku,name\n1,a\n")
    with pytest.raises(CatalogError, match=r"the file lacks: 'about', 'colour'.*it has 'sku', 'name'"):
        iter_products(path, ReadReport(), FieldMap.load(shop_map(tmp_path)))


def test_the_known_field_map_with_the_most_columns_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "catalogs").mkdir()
    (tmp_path / "catalogs" / "a.toml").write_text('parent_asin = "sku"\n')
    (tmp_path / "catalogs" / "b.toml").write_text('parent_asin = "sku"\ntitle = "name"\n')
    (tmp_path / "catalogs" / "c.toml").write_text('parent_asin = "sku"\ntitle = "label"\nstore = "x"\n')
    monkeypatch.setattr("configs.FOLDER", tmp_path)
    assert list(known_field_maps()) == ["a", "b", "c"]
    expected = [Product(parent_asin="1", title="Hat")]
    assert read_products(table(tmp_path, "sku,name\n1,Hat\n"))[0] == expected
    assert read_products(parquet(tmp_path, {"sku": [1], "name": ["Hat"]}))[0] == expected


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('title = "a"\n', "parent_asin"),
        ('parent_asin = "a"\nprise = "b"\n', "prise"),
        ('parent_asin = "a"\ntitle = 3\n', r"\$\.title"),
        ('parent_asin = ""\n', r"\$\.parent_asin"),
        ('parent_asin = "a"\nfeatures = "b"\n', r"\$\.features"),
        ('parent_asin = "a"\nprice = "b"\nprice_scale = 0.0\n', "price_scale"),
        ('parent_asin = "a"\nprice = "b"\nprice_scale = nan\n', "price_scale"),
        ('parent_asin = "a"\nprice = "b"\nprice_scale = inf\n', "price_scale"),
        ('parent_asin = "a"\nprice_scale = 0.5\n', "price_scale"),
        ('parent_asin = "a"\ncategories = [{ column = "b" }]\n', r"last_words.*\$\.categories"),
        ('parent_asin = "a"\ncategories = [{ column = "b", last_words = 0 }]\n', "last_words"),
        (
            'parent_asin = "a"\ncategories = [{ column = "b", last_words = 1, stop_words = ["Men"] }]\n',
            "stop_w",
        ),
        ('parent_asin = "a"\ncategories = [{ column = "b", last_words = 1, cut_at = ["a b"] }]\n', "cut_at"),
        ('parent_asin = "a"\n[details]\nColor = 1\n', r"\$\.details"),
        ("parent_asin = \n", "line 1"),
    ],
)
def test_a_wrong_field_map_is_an_error_that_names_file_and_key(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(FieldMapError, match=rf"shop\.toml: not a field map: .*{named}"):
        FieldMap.load(shop_map(tmp_path, text))


def test_a_field_map_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "shop.toml").write_bytes(b'parent_asin = "\xff"')
    for name in ("absent.toml", "shop.toml", "."):
        with pytest.raises(FieldMapError, match="not a field map"):
            FieldMap.load(tmp_path / name)


def test_the_columns_of_a_field_map(tmp_path: Path) -> None:
    assert FieldMap.load(shop_map(tmp_path)).columns() == {
        *("sku", "name", "about", "more", "cost", "who", "maker", "colour")
    }
    assert KIT.columns() == set(RECORD)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Acme Men Blue Slim Fit Casual Shirt", "Casual Shirt"),
        ("Acme Women White Printed Top", "Top"),
        ("Acme Women Straight Kurta with Palazzos & Dupatta", "Straight Kurta"),
        ("Acme Cotton T-Shirt,", "Cotton T-shirt"),
        ("Acme Wool (Soft) Scarf - Blue", "Soft Scarf"),
        ("Acme Walking Shoes AB-123 2x", "Walking Shoes"),
        ("Acme 125 ml", "Acme"),
        ("Scarf", "Scarf"),
        ("with love", "With Love"),
        ("Blue 125 ml", ""),
        (" - ", ""),
        ("", ""),
    ],
)
def test_the_kind_of_product_from_the_end_of_its_name(name: str, phrase: str) -> None:
    words = LastWords(
        column="name",
        last_words=2,
        cut_at=frozenset({"with"}),
        stop_words=frozenset({"blue", "printed", "women", "fit", "ml"}),
    )
    assert words.phrase(name) == phrase


# Real catalogs


def real(name: str) -> Path:
    if not REAL.is_dir():
        pytest.skip("real inputs absent: ../shared/real")
    return REAL / name


def test_the_real_catalog_is_read_whole() -> None:
    products, report = read_products(real("catalog.jsonl"))
    assert len(products) == 6290
    assert report == ReadReport(products=6290)


def test_the_real_products_are_read_as_json_gives_them() -> None:
    path = real("products.jsonl")
    products, report = read_products(path)
    assert report == ReadReport(products=67)
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for product, record in zip(products, records, strict=True):
        for name, value in record.items():
            expected = tuple(value) if isinstance(value, list) else value
            assert getattr(product, name) == (0 if name == "rating_number" and value is None else expected)


def test_the_real_foreign_table_is_read_whole() -> None:
    products, report = read_products(real("fashion_products.csv"))
    assert len(products) == 6223
    assert report == ReadReport(products=6223)
    assert all(product.title and product.features and product.store for product in products)
    assert all(len(product.categories) == 3 for product in products)
    assert products[0].price == 9.49
    words = {category_words(product.categories) for product in products}
    assert "Men Casual Shirt" in words
    assert 200 < len(words) < 2000
