from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from index.postings import Postings, moved


def postings(*lists: list[int]) -> Postings:
    lengths = np.array([len(values) for values in lists], dtype=np.int64)
    return Postings.from_lengths(lengths, np.array([value for values in lists for value in values], np.int32))


def test_lists_and_their_owners() -> None:
    lists = postings([3, 1], [], [2])
    assert lists.starts.tolist() == [0, 2, 2, 3]
    assert [lists[number].tolist() for number in range(3)] == [[3, 1], [], [2]]
    assert lists.owners().tolist() == [0, 0, 2]
    assert (lists.starts.dtype, lists.values.dtype, lists.owners().dtype) == (np.int64, np.int32, np.int32)


def test_lists_taken_joined_and_of_lists() -> None:
    lists = postings([3, 1], [], [2])
    taken = lists.take(np.array([2, 0, 1, 0]))
    assert [taken[number].tolist() for number in range(4)] == [[2], [3, 1], [], [3, 1]]
    joined = Postings.joined([lists, postings(), postings([5])])
    assert [joined[number].tolist() for number in range(4)] == [[3, 1], [], [2], [5]]
    each = lists.of_each(postings([2, 0, 2], [], [1], [0]))
    assert [each[number].tolist() for number in range(4)] == [[2, 3, 1, 2], [], [], [3, 1]]


def test_lists_of_sorted_pairs() -> None:
    lists = Postings.of_pairs(np.array([0, 4, 10, 12, 13], dtype=np.int64), 4, 5)
    assert [lists[number].tolist() for number in range(4)] == [[0, 4], [], [0, 2, 3], []]
    assert (lists.starts.dtype, lists.values.dtype) == (np.int64, np.int32)


def test_where_the_values_of_moved_lists_stand() -> None:
    assert moved(np.array([0, 2, 2, 3]), np.array([7, 0, 4])).tolist() == [7, 8, 4]


def test_the_first_mark_of_each_list() -> None:
    marks = np.array([0, 7, 0, 9], dtype=np.int8)
    assert postings([0, 3, 1, 1], [], [2, 0], [1], [2, 1, 3]).first_marks(marks).tolist() == [9, 0, 0, 7, 7]


def test_inverted_lists_stand_most_popular_first_and_ties_in_order() -> None:
    inverted = postings([0, 2], [0], [2, 0], [0]).inverted(4, np.array([5, 9, 5, 1]))
    assert [inverted[value].tolist() for value in range(4)] == [[1, 0, 2, 3], [], [0, 2], []]


def test_a_value_that_a_list_holds_twice_counts_once() -> None:
    inverted = postings([1, 1, 0, 1], [1]).inverted(2, np.array([0, 0]))
    assert [inverted[value].tolist() for value in range(2)] == [[0], [0, 1]]


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 5), max_size=6), st.integers(0, 3)), min_size=1, max_size=8),
)
def test_inversion_is_that_of_plain_lists(rows: list[tuple[list[int], int]]) -> None:
    lists = [values for values, _ in rows]
    popularity = [popular for _, popular in rows]
    inverted = postings(*lists).inverted(6, np.array(popularity))
    for value in range(6):
        holders = [number for number, values in enumerate(lists) if value in values]
        assert inverted[value].tolist() == sorted(holders, key=lambda number: (-popularity[number], number))
