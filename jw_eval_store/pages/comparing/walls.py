"""Pages that stand before the page: captchas, challenges and consent forms served with 200."""

from __future__ import annotations

import re

_WALLS = (
    ("a captcha", re.compile(r"g-recaptcha|h-captcha|hcaptcha\.com|recaptcha/api|px-captcha")),
    ("a challenge", re.compile(r"cf[-_]chl|challenge-platform|awswaf|captcha-delivery")),
    (
        "a challenge",
        re.compile(r"<title>\s*(just a moment|attention required|access denied)", re.I),
    ),
    ("a consent form", re.compile(r"<form[^>]+action=[\"'][^\"']*consent", re.I)),
)


def wall(html: str) -> str | None:
    """What a page without an article shows instead; none if it is no known wall.

    Healthy pages may carry the same scripts, so ask only where the article is missing.
    """
    return next((name for name, pattern in _WALLS if pattern.search(html)), None)
