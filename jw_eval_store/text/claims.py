"""What turns a claim round: a negator, a number or a name that only one of two texts has.

Similar texts can say opposite things, so these differences are looked for in whatever similarity
has found. The word lists are small and per language, since `no` is "in the" in Portuguese and
`sin` is a noun in English.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from jw_eval_store.text.normal import normal, unmarked


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


NEGATORS: dict[str, frozenset[str]] = {
    "en": _set("no not never none nobody nothing nowhere neither nor without cannot non"),
    "es": _set("no ni nunca jamás sin nadie nada ningún ninguno ninguna tampoco"),
    "pt": _set("não nem nunca jamais sem ninguém nada nenhum nenhuma tampouco"),
}
"""Words that deny, in normal form, by language."""

_NUMBER_WORDS = _set(
    "two three four five six seven eight nine ten eleven twelve hundred thousand million "
    "dos tres cuatro cinco seis siete ocho nueve diez once doce cien ciento mil millón "
    "dois duas três quatro sete oito nove dez onze doze cem cento milhão "
    "first second third primero segundo tercero primeiro terceiro"
)
_NO_NAMES = _set(
    "the this that these those there they their them then thus when where while what which who "
    "whoever why how his her its our your you she and but for yet also all any both each every few "
    "many more most much now once only other such some though although after before because since "
    "with from into upon let may everyone everybody someone somebody anyone anybody people "
    "los las una unos unas este esta estos estas ese esa esos esas aquel aquella aquellos quien "
    "quienes que como cuando donde mientras por para pero porque aunque con sus ella ellos ellas "
    "nosotros ustedes todo toda todos todas cada algunos muchos otro otra así también pues desde "
    "uma uns umas este esta estes estas esse essa esses essas aquele aquela aqueles aquelas quem "
    "quando onde enquanto mas porque embora com seu sua seus suas ela eles elas nós vocês tudo "
    "muitos outro outra assim também pois desde dos das nos nas aos"
)
"""Words that start sentences, and so have capitals, but name nobody."""

_PREFIXES = ("in", "im", "ir", "il", "i", "un", "non", "des", "dis")
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*")


def is_negator(word: str, language: str | None = None) -> bool:
    """Whether a word in normal form denies; for an unknown language, in any of them."""
    lists = [NEGATORS[language]] if language in NEGATORS else list(NEGATORS.values())
    return word.endswith("n't") or any(word in listed for listed in lists)


def is_number(word: str) -> bool:
    """Whether a word in normal form is a number, in digits or as a usual number word."""
    return word[:1].isdigit() or word in _NUMBER_WORDS


def is_inverted(one: str, other: str) -> bool:
    """Whether one word is the other with a denying prefix: `mortal` and `inmortal`."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and any(long == prefix + short for prefix in _PREFIXES)


def claim_difference(
    phrase: str, located: str, language: str | None = None, *, whole: bool = False
) -> str | None:
    """How the located text changes the phrase's claim, in words for a message; none if it doesn't.

    Both as written, since names are told by their capitals. `language` is a BCP 47 tag. `whole`:
    both are whole passages, so that numbers and names added at their ends count as well.
    """
    ours, theirs = _words(phrase), _words(located)
    matcher = SequenceMatcher(
        None, [normal(word) for word in ours], [normal(word) for word in theirs], autojunk=False
    )
    changes = [
        (ours[a:b], theirs[c:d], whole or (a > 0 and b < len(ours)))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]
    for change in changes:
        if found := _negation(change[0], change[1], language):
            return found
    for change in changes:
        if found := _number(*change) or _name(*change):
            return found
    return None


def _words(text: str) -> list[str]:
    """The words as written, but composed and without marks, which would cut them in two."""
    return _WORD.findall(unmarked(text).replace("\u2019", "'"))


def _negation(ours: list[str], theirs: list[str], language: str | None) -> str | None:
    denied = [word for word in ours if is_negator(normal(word), language)]
    denying = [word for word in theirs if is_negator(normal(word), language)]
    if bool(denied) != bool(denying):
        return (
            f"negation: “{(denied or denying)[0]}” only in the {'phrase' if denied else 'passage'}"
        )
    for one in ours:
        for other in theirs:
            if is_inverted(normal(one), normal(other)):
                return f"negation: “{one}” against “{other}”"
    return None


def _number(ours: list[str], theirs: list[str], inner: bool) -> str | None:
    wanted = [word for word in ours if is_number(normal(word))]
    given = [word for word in theirs if is_number(normal(word))]
    if wanted == given or not (wanted or inner):
        return None
    return f"number: {_quoted(wanted)} against {_quoted(given)}"


def _name(ours: list[str], theirs: list[str], inner: bool) -> str | None:
    """Capitals on both sides are names that differ; on one side only, within the phrase."""
    wanted = [word for word in ours if _capital(word)]
    given = [word for word in theirs if _capital(word)]
    both = bool(wanted and given)
    if not both and not (inner and (wanted or given)):
        return None
    return f"name: {_quoted(wanted)} against {_quoted(given)}"


def _capital(word: str) -> bool:
    folded = normal(word)
    return len(word) > 2 and word[0].isupper() and not is_number(folded) and folded not in _NO_NAMES


def _quoted(words: list[str]) -> str:
    return " ".join(f"“{word}”" for word in words) or "none"
