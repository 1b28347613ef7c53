"""The protocol of tool and host: JSON behind its length (4 bytes, big endian), on own pipes."""

from __future__ import annotations

import json
import os
import struct
from typing import Any, Optional

_HEADER = struct.Struct(">I")


def encode(message: Any) -> bytes:
    """One message as a frame. Lone surrogates travel as they are."""
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    raw = body.encode("utf-8", "surrogatepass")
    return _HEADER.pack(len(raw)) + raw


def decode(raw: bytes) -> Any:
    """The message of a frame's body."""
    return json.loads(raw.decode("utf-8", "surrogatepass"))


class Frames:
    """Puts frames together from pieces as they arrive."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Any]:
        """The messages that are complete now. Raises ValueError above `limit` bytes."""
        self._buffer += data
        messages = []
        while (size := self._size()) is not None and len(self._buffer) >= size:
            messages.append(decode(bytes(self._buffer[_HEADER.size : size])))
            del self._buffer[:size]
        return messages

    def _size(self) -> Optional[int]:
        if len(self._buffer) < _HEADER.size:
            return None
        size = int(_HEADER.unpack_from(self._buffer)[0])
        if size > self._limit:
            raise ValueError(f"a message of {size:,} bytes, more than {self._limit:,}")
        return size + _HEADER.size


def receive(fd: int) -> Any:
    """The next message of a blocking pipe. Raises EOFError at its end."""
    return decode(_exactly(fd, _HEADER.unpack(_exactly(fd, _HEADER.size))[0]))


def send(fd: int, frame: bytes) -> None:
    """Write a whole frame to a blocking pipe."""
    view = memoryview(frame)
    while view:
        view = view[os.write(fd, view) :]


def _exactly(fd: int, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        piece = os.read(fd, min(size - len(parts), 1 << 20))
        if not piece:
            raise EOFError
        parts += piece
    return bytes(parts)
