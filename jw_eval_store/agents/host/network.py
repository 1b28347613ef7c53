"""Close the network of this process for good, by an audit hook that the agent cannot take away.

It sees all that Python's sockets do. Compiled code that makes its own system calls, and programs
that the agent starts, are not seen.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from typing import Any

from . import tape as tapes

_LOOKUPS = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
_SENDING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})


def close(*, loopback: bool) -> None:
    """From now on connections are refused, save in a call that records, and to loopback if so."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in _LOOKUPS or event in _SENDING:
            _check(event, args, loopback)

    sys.addaudithook(hook)


def _check(event: str, args: tuple[Any, ...], loopback: bool) -> None:
    host, shown = _target(event, args)
    tape = tapes.current()
    if host is None or (loopback and _is_loopback(host)) or (tape is not None and tape.recording):
        return
    if tape is not None:
        tape.miss(f"a connection to {shown}, outside of the clients that are recorded", None)
    if event in _LOOKUPS:
        raise socket.gaierror(socket.EAI_FAIL, f"the network is closed: {shown}")
    raise OSError(errno.ENETUNREACH, f"the network is closed: {shown}")


def _target(event: str, args: tuple[Any, ...]) -> tuple[Any, str]:
    """Host (none: no business of ours) and a text for people."""
    if event in _LOOKUPS:
        host = args[0].decode("ascii", "replace") if isinstance(args[0], bytes) else args[0]
        return host, f"{host}:{args[1]}" if len(args) > 1 else str(host)
    address = args[1]
    if isinstance(address, tuple) and len(address) > 1:
        return address[0], f"{address[0]}:{address[1]}"
    return (None, "") if address is None else ("", str(address))


def _is_loopback(host: str) -> bool:
    if host in tapes.LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
