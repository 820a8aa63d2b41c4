"""A run of products as small arrays, from which an index is put together."""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from index.card_columns import card_words, line_classes
from index.cards import bare_line, category_words, clean_line, cut_line, raw_lines
from index.fingerprint import line_hashes
from index.postings import Postings, moved
from index.products import MATRIX_COLUMNS, Product, product_features
from index.tokens import TextTable, joined_vocabulary

_NO_LINE = -1


@dataclass(frozen=True, slots=True)
class LineChunk:
    """The lines of a run of n products, M of them distinct.

    Attributes:
        hashes: (M,) uint64, sorted hashes of the lines' fingerprints.
        texts: (M,) the lines as first met.
        classes: (2, M) int8, see :class:`index.fingerprint.FingerprintIndex`.
        of_product: per product, the places of its lines among the M, in card order.
        vocabulary: the V words of the lines.
        words: per line its words in order, as numbers of the vocabulary.
    """

    hashes: NDArray[np.uint64]
    texts: pa.LargeStringArray
    classes: NDArray[np.int8]
    of_product: Postings
    vocabulary: pa.LargeStringArray
    words: Postings

    @classmethod
    def of(cls, table: TextTable, of_product: Postings) -> LineChunk:
        """Return the chunk of products that are given by their lines' numbers in ``table``, in card order."""
        encoded = pa.array(of_product.values).dictionary_encode()
        met, places = np.asarray(encoded.dictionary), np.asarray(encoded.indices)
        tokens = table.tokens().take(met)
        hashes, first, of_met = np.unique(
            line_hashes(tokens.fingerprints().to_pylist()), return_index=True, return_inverse=True
        )
        tokens = tokens.take(first)
        texts = list(table.numbers)
        lines = pa.array([texts[number] for number in met[first].tolist()], type=pa.large_string())
        return cls(
            hashes=hashes,
            texts=lines,
            classes=line_classes(lines, tokens),
            of_product=Postings(of_product.starts, of_met[places].astype(np.int32)),
            vocabulary=tokens.vocabulary,
            words=tokens.words,
        )

    @classmethod
    def joined(cls, chunks: Sequence[LineChunk]) -> LineChunk:
        """Return the lines of all chunks."""
        hashes, first, places = np.unique(
            np.concatenate([chunk.hashes for chunk in chunks]), return_index=True, return_inverse=True
        )
        places = places.astype(np.int32)
        offsets = np.cumsum([0, *(len(chunk.hashes) for chunk in chunks)])
        of_product = Postings.joined(
            [
                Postings(chunk.of_product.starts, places[chunk.of_product.values + offset])
                for chunk, offset in zip(chunks, offsets, strict=False)
            ]
        )
        vocabulary, numbers = joined_vocabulary([chunk.vocabulary for chunk in chunks])
        lengths = np.concatenate([np.diff(chunk.words.starts) for chunk in chunks])[first]
        words = Postings.from_lengths(lengths, np.empty(lengths.sum(), dtype=np.int32))
        for chunk, offset, translated in zip(chunks, offsets, numbers, strict=False):
            mine = np.flatnonzero((first >= offset) & (first < offset + len(chunk.hashes)))
            taken = chunk.words.take(first[mine] - offset)
            words.values[moved(taken.starts, words.starts[mine])] = translated[taken.values]
        return cls(
            hashes=hashes,
            texts=pa.chunked_array([chunk.texts for chunk in chunks]).take(pa.array(first)).combine_chunks(),
            classes=np.concatenate([chunk.classes for chunk in chunks], axis=1)[:, first],
            of_product=of_product,
            vocabulary=vocabulary,
            words=words,
        )


@dataclass(frozen=True, slots=True)
class WordChunk:
    """The words of a run of n texts.

    Attributes:
        vocabulary: the V distinct words, in order of first use.
        postings: per word, the texts that have it, ascending.
        counts: for each value of ``postings`` uint16, how often the text has the word.
        lengths: (n,) int32, the number of words of each text.
    """

    vocabulary: pa.LargeStringArray
    postings: Postings
    counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    @classmethod
    def of(cls, vocabulary: pa.LargeStringArray, texts: Postings) -> WordChunk:
        """Return the chunk of texts that are given by their words' numbers."""
        lengths = np.diff(texts.starts)
        kind = np.int32 if len(vocabulary) * len(lengths) < 1 << 31 else np.int64
        keys = texts.values * kind(len(lengths))  # by word, then by text
        keys += texts.owners()
        keys.sort()
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        postings = Postings.of_pairs(keys[first], len(vocabulary), len(lengths))
        counts = np.diff(first, append=len(keys)).astype(np.uint16)
        return cls(vocabulary, postings, counts, lengths.astype(np.int32))

    @classmethod
    def joined(cls, chunks: Sequence[WordChunk]) -> WordChunk:
        """Return the words of all chunks' texts."""
        vocabulary, numbers = joined_vocabulary([chunk.vocabulary for chunk in chunks])
        sizes = [np.diff(chunk.postings.starts) for chunk in chunks]
        total = np.zeros(len(vocabulary), dtype=np.int64)
        for words, size in zip(numbers, sizes, strict=True):
            total[words] += size
        starts = np.concatenate([[0], np.cumsum(total)])
        rows, counts = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.uint16)
        ends, before = starts[:-1].copy(), 0
        for chunk, words, size in zip(chunks, numbers, sizes, strict=True):
            places = moved(chunk.postings.starts, ends[words])
            rows[places] = chunk.postings.values + before
            counts[places] = chunk.counts
            ends[words] += size
            before += len(chunk.lengths)
        lengths = np.concatenate([chunk.lengths for chunk in chunks])
        return cls(vocabulary, Postings(starts, rows), counts, lengths)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of n products of a catalog.

    Attributes:
        ids: (n,) product ids.
        titles: (n,) titles.
        matrix: (n, 6) float32, columns ``MATRIX_COLUMNS``.
        popularity: (n,) int64, number of ratings.
        categories: (n,) the products' category words.
        lines: their card lines.
        words: the words of their whole text; those of title and category twice.
    """

    ids: pa.LargeStringArray
    titles: pa.LargeStringArray
    matrix: NDArray[np.float32]
    popularity: NDArray[np.int64]
    categories: pa.DictionaryArray
    lines: LineChunk
    words: WordChunk

    @classmethod
    def of(cls, products: Iterable[Product]) -> Chunk:
        """Return the chunk of ``products``; there may be none."""
        products = list(products)
        table = TextTable()
        number = table.numbers.__getitem__
        bare = cache(bare_line)

        @cache
        def split(text: str) -> int:
            """Return the number of a text with the same words: as bare as its line, so that both are one."""
            return number(text if "&" in text else bare(text))

        @cache
        def line(text: str) -> int:
            said = cut_line(bare(text))
            return number(said) if said else _NO_LINE

        joined, kind = cache(" ".join), cache(category_words)

        flat, starts = array("i"), array("q", [0])
        for product in products:
            flat.append(number(product.title))
            flat.extend(map(split, product.features))
            flat.extend([split(f"{key}: {value}") for key, value in product.details.items()])
            flat.extend(map(number, product.description))
            path = product.categories
            flat.extend(map(number, (joined(path), product.store or "", product.title, kind(path))))
            starts.append(len(flat))
        said = Postings(np.array(starts), np.array(flat))
        tokens = table.tokens()
        texts = list(table.numbers)
        names = [texts[place] for place in said.values[said.starts[1:] - 1].tolist()]
        flat, starts = array("i"), array("q", [0])
        for product, material, color in zip(products, *card_words(texts, tokens, said), strict=True):
            lines = dict.fromkeys(map(line, raw_lines(product, material, color)))
            lines.pop(_NO_LINE, None)
            flat.extend(lines or (number(clean_line(product.title)),))
            starts.append(len(flat))
        numbers = array("d")
        for product in products:
            numbers.extend(product_features(product))
        return cls(
            ids=pa.array([product.parent_asin for product in products], type=pa.large_string()),
            titles=pa.array([product.title for product in products], type=pa.large_string()),
            matrix=np.array(numbers, dtype=np.float32).reshape(-1, len(MATRIX_COLUMNS)),
            popularity=np.array([product.rating_number for product in products], dtype=np.int64),
            categories=pa.array(names, type=pa.large_string()).dictionary_encode(),
            lines=LineChunk.of(table, Postings(np.array(starts), np.array(flat))),
            words=WordChunk.of(tokens.vocabulary, tokens.words.of_each(said)),
        )

    @classmethod
    def joined(cls, chunks: list[Chunk]) -> Chunk:
        """Return all products' chunk; the list is emptied, so that what is joined need not be kept."""
        lines, words = [chunk.lines for chunk in chunks], [chunk.words for chunk in chunks]
        categories = pa.chunked_array([chunk.categories for chunk in chunks]).unify_dictionaries()
        ids = pa.concat_arrays([chunk.ids for chunk in chunks])
        titles = pa.concat_arrays([chunk.titles for chunk in chunks])
        matrix = np.concatenate([chunk.matrix for chunk in chunks])
        popularity = np.concatenate([chunk.popularity for chunk in chunks])
        chunks.clear()
        all_words = WordChunk.joined(words)
        words.clear()
        _give_back()
        all_lines = LineChunk.joined(lines)
        lines.clear()
        _give_back()
        return cls(ids, titles, matrix, popularity, categories.combine_chunks(), all_lines, all_words)

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.ids)


def _give_back() -> None:
    """Return freed memory to the system: scattered as it lies, large arrays find no place in it."""
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)
