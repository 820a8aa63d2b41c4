"""Words of lines with their places."""

from index.catalog import Catalog
from index.products import Product


def placed(word, *lines):
    """Return {line: place} of a word in a catalog of these lines, and the number of words of each line."""
    catalog = Catalog.build([Product(f"p{number}", features=(line,)) for number, line in enumerate(lines)])
    found = catalog.line_words.placed(catalog.lexical.numbers[word])
    numbers = catalog.lines.find(list(lines)).tolist()
    places = {
        numbers.index(line): int(place) for line, place in zip(found[0].tolist(), found[1], strict=True)
    }
    return places, catalog.line_words.lengths[numbers].tolist()


def test_a_word_stands_where_it_is_said_first_and_function_words_take_no_place():
    lines = ("Button the closure; button side", "Gift of zippers", "Zippers side gift zippers")
    assert placed("button", *lines)[0] == {0: 0}
    assert placed("closure", *lines)[0] == {0: 1}
    assert placed("side", *lines)[0] == {0: 3, 2: 1}
    assert placed("gift", *lines)[0] == {1: 0, 2: 2}
    assert placed("zippers", *lines) == ({1: 1, 2: 0}, [3, 2, 3])
