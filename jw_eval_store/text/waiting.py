"""How long a server asks to wait."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(text: str | None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, 10.2.3: a number or a date), at least 0; none if
    it is neither.
    """
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
