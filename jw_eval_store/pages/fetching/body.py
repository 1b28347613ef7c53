"""Read an answer's body in pieces, decompressed with a bound on what comes out of it."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from jw_eval_store.pages.fetching.limits import Limits

ACCEPTED_ENCODINGS = "gzip, deflate"
_PIECE = 65_536


class TooLargeError(Exception):
    """The body is larger than allowed, or grows too much by decompression."""


class BrokenBodyError(Exception):
    """The body can't be decompressed, or is cut off."""


@dataclass
class _Sizes:
    """What came in and what it grew to, against the limits."""

    limits: Limits
    received: int = 0
    decoded: int = 0

    def add(self, decoded: int) -> None:
        self.decoded += decoded
        if self.decoded > self.limits.max_bytes:
            raise TooLargeError(f"it is larger than {self.limits.max_bytes:,} bytes")
        ratio = self.decoded / max(self.received, 1)
        if self.decoded > self.limits.free_size and ratio > self.limits.max_ratio:
            raise TooLargeError(f"it grows to {ratio:.0f} times its size by decompression")


async def read_body(raw: AsyncIterator[bytes], encoding: str, limits: Limits) -> bytes:
    """The whole body. `encoding` is the Content-Encoding header, empty for none.

    Never holds more than the limit and one piece. Raises TooLargeError, BrokenBodyError.
    """
    name = encoding.strip().lower()
    sizes = _Sizes(limits)
    if name in ("", "identity"):
        return await _plain(raw, sizes)
    if name not in ("gzip", "x-gzip", "deflate"):
        raise BrokenBodyError(f"its encoding {name!r} was not asked for")
    return await _inflated(raw, sizes)


async def _plain(raw: AsyncIterator[bytes], sizes: _Sizes) -> bytes:
    parts = []
    async for piece in raw:
        sizes.received += len(piece)
        sizes.add(len(piece))
        parts.append(piece)
    return b"".join(parts)


async def _inflated(raw: AsyncIterator[bytes], sizes: _Sizes) -> bytes:
    parts: list[bytes] = []
    inflater: zlib._Decompress | None = None
    async for piece in raw:
        sizes.received += len(piece)
        inflater = inflater or _inflater(piece)
        try:
            parts.extend(_pieces(inflater, piece, sizes))
        except zlib.error as error:
            raise BrokenBodyError(f"it can't be decompressed: {error}") from error
    if inflater is not None and not inflater.eof:
        raise BrokenBodyError("it is cut off")
    return b"".join(parts)


def _inflater(start: bytes) -> zlib._Decompress:
    """For gzip, zlib, or bare deflate, which some servers send under the same name."""
    wrapped = start[:2] == b"\x1f\x8b" or (start[0] & 0x0F == 8 and start[0] >> 4 <= 7)
    return zlib.decompressobj(47 if wrapped else -zlib.MAX_WBITS)


def _pieces(inflater: zlib._Decompress, data: bytes, sizes: _Sizes) -> list[bytes]:
    found = []
    while data and not inflater.eof:
        piece = inflater.decompress(data, _PIECE)
        sizes.add(len(piece))
        found.append(piece)
        data = inflater.unconsumed_tail
    return found
