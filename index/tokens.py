"""The words of many texts at once, as numbers of a vocabulary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from index.postings import Postings
from index.text import BREAK, FINGERPRINT_LENGTH, folded, joined_plain


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of n texts.

    Attributes:
        vocabulary: the V distinct words, in order of first use.
        words: per text its words in order, as numbers of the vocabulary.
        plain: (n,) the words of each text, a space after each.
        odd: (n,) whether the text holds an entity, a compatibility form or an underscore, so that a pattern
            may find other words in it.
    """

    vocabulary: pa.LargeStringArray
    words: Postings
    plain: pa.LargeStringArray
    odd: NDArray[np.bool_]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Tokens:
        """Return the words of ``texts``, those of :func:`index.text.words`."""
        odd = np.zeros(len(texts), dtype=bool)
        forms = list(texts)
        for n, text in enumerate(texts):
            if not text.isascii() or "&" in text or "_" in text:
                forms[n] = folded(text)
                odd[n] = forms[n] != text or "_" in text
        content = np.frombuffer(joined_plain(forms) + BREAK.encode() if texts else b"", dtype=np.uint8)
        solid = content > ord(" ")
        edges = np.flatnonzero(np.diff(solid, prepend=False))
        kept = solid.copy()
        kept[1:] |= solid[:-1]  # each word, and one sign after it
        written = pa.py_buffer(np.maximum(content[kept], ord(" ")))
        starts = np.concatenate([[0], np.cumsum(edges[1::2] - edges[::2] + 1)])
        encoded = _sliced(written, starts).dictionary_encode()
        ends = np.searchsorted(edges, np.flatnonzero(content == ord(BREAK)), side="right")
        of_text = np.concatenate([[0], ends // 2])
        return cls(
            vocabulary=pc.ascii_rtrim(encoded.dictionary, characters=" "),
            words=Postings(of_text, np.asarray(encoded.indices)),
            plain=_sliced(written, starts[of_text]),
            odd=odd,
        )

    def fingerprints(self) -> pa.LargeStringArray:
        """Return (n,) the key of each text, that of :func:`index.text.fingerprint`."""
        return pc.ascii_rtrim(pc.utf8_slice_codeunits(self.plain, 0, FINGERPRINT_LENGTH), characters=" ")

    def followed_by(self, more: Tokens) -> Tokens:
        """Return the words of these texts, then those of ``more``."""
        vocabulary, (_, numbers) = joined_vocabulary([self.vocabulary, more.vocabulary])
        translated = Postings(more.words.starts, numbers[more.words.values])
        return Tokens(
            vocabulary=vocabulary,
            words=Postings.joined([self.words, translated]),
            plain=pa.concat_arrays([self.plain, more.plain]),
            odd=np.concatenate([self.odd, more.odd]),
        )

    def take(self, places: NDArray[np.integer[Any]]) -> Tokens:
        """Return the words of the texts at ``places``, in that order."""
        return Tokens(
            vocabulary=self.vocabulary,
            words=self.words.take(places),
            plain=self.plain.take(pa.array(places)),
            odd=self.odd[places],
        )


class TextTable:
    """Distinct texts, each split into words once.

    Attributes:
        numbers: the number of each text; asked for a new one, it gives it the next.
    """

    def __init__(self) -> None:
        self.numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._tokens: Tokens | None = None

    def tokens(self) -> Tokens:
        """Return the words of all texts by number; those of new ones are added to those returned before."""
        if self._tokens is None:
            self._tokens = Tokens.of(list(self.numbers))
        elif fresh := list(islice(self.numbers, len(self._tokens.plain), None)):
            self._tokens = self._tokens.followed_by(Tokens.of(fresh))
        return self._tokens


def joined_vocabulary(
    vocabularies: Sequence[pa.LargeStringArray],
) -> tuple[pa.LargeStringArray, list[NDArray[np.int32]]]:
    """Return the distinct words of all ``vocabularies``, first met first, and the numbers of each one's."""
    encoded = pa.concat_arrays(vocabularies).dictionary_encode()
    ends = np.cumsum([len(vocabulary) for vocabulary in vocabularies])
    return encoded.dictionary, np.split(np.asarray(encoded.indices), ends[:-1])


def _sliced(content: pa.Buffer, starts: NDArray[np.int64]) -> pa.LargeStringArray:
    """Return the texts that begin in ``content`` at ``starts``; the last is the end of the last one."""
    return pa.LargeStringArray.from_buffers(len(starts) - 1, pa.py_buffer(starts), content)
