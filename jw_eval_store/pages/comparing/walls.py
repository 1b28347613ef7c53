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
_OF_THE_LIBRARY = "contentLibLangSym"
"""The hidden input that all pages of the library carry, its error pages too, and no wall."""


def wall(html: str) -> str | None:
    """What a page without an article shows instead; none if it is no known wall.

    The site's own pages may carry banners and captchas as well, so one that the library made is
    never a wall: an error page with a cookie banner is still an error page.
    """
    if _OF_THE_LIBRARY in html:
        return None
    return next((name for name, pattern in _WALLS if pattern.search(html)), None)
