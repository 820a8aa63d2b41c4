"""Which lines hold which words: the way from words that are no line to the lines that they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from index.postings import Postings
from index.text import FUNCTION_WORDS, plain_texts


@dataclass(frozen=True, slots=True)
class LineWords:
    """The words of the L lines that a catalog can say, function words left out.

    Attributes:
        postings: per word (numbers of the catalog's vocabulary) the lines that hold it, ascending.
        lengths: (L,) int32, how many different words each line holds.
    """

    postings: Postings
    lengths: NDArray[np.int32]

    @classmethod
    def build(cls, texts: pa.LargeStringArray, vocabulary: Mapping[str, int]) -> LineWords:
        """Return the index of the lines' texts; words outside ``vocabulary`` are left out."""
        plains = pa.array(plain_texts(texts.to_pylist()), type=pa.large_string())
        split = pc.ascii_split_whitespace(pc.ascii_trim_whitespace(plains))
        encoded = split.flatten().dictionary_encode()
        numbers = np.array(
            [
                -1 if word in FUNCTION_WORDS else vocabulary.get(word, -1)
                for word in encoded.dictionary.to_pylist()
            ],
            dtype=np.int32,
        )[encoded.indices]
        lines = np.repeat(np.arange(len(texts), dtype=np.int32), pc.list_value_length(split))
        held = numbers >= 0
        matrix = sparse.coo_array(
            (np.ones(int(held.sum()), dtype=np.int8), (numbers[held], lines[held])),
            shape=(len(vocabulary), len(texts)),
        ).tocsr()
        matrix.sum_duplicates()
        lengths = np.bincount(matrix.indices, minlength=len(texts)).astype(np.int32)
        return cls(Postings(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)), lengths)
