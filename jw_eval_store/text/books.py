"""Names of the Bible's books in English, Spanish and Portuguese, with their usual short forms.

Book numbers are 1 (Genesis) to 66 (Revelation), as in anchors and references.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_TABLE = """
1|0|50|Genesis,Gen,Ge,Gn|Génesis,Gén,Gé,Gn|Gênesis,Gên,Gn
2|0|40|Exodus,Exod,Exo,Ex|Éxodo,Éxo,Éx|Êxodo,Êxo,Êx
3|0|27|Leviticus,Lev,Le,Lv|Levítico,Lev,Le,Lv|Levítico,Lev,Le,Lv
4|0|36|Numbers,Num,Nu,Nm|Números,Núm,Nú,Nm|Números,Núm,Nm
5|0|34|Deuteronomy,Deut,Deu,De,Dt|Deuteronomio,Deut,Deu,Dt|Deuteronômio,Deut,Deu,Dt
6|0|24|Joshua,Josh,Jos|Josué,Jos|Josué,Jos,Js
7|0|21|Judges,Judg,Jdg,Jg|Jueces,Juec,Jue|Juízes,Juí,Jz
8|0|4|Ruth,Ru,Rth|Rut,Rt|Rute,Rut,Ru,Rt
9|2|31,24|Samuel,Sam,Sa,Sm|Samuel,Sam,Sa,Sm|Samuel,Sam,Sa,Sm
11|2|22,25|Kings,King,Kgs,Ki|Reyes,Rey,Re|Reis,Rs
13|2|29,36|Chronicles,Chron,Chr,Ch|Crónicas,Crón,Cró,Cr|Crônicas,Crôn,Crô,Cr
15|0|10|Ezra,Ezr|Esdras,Esd|Esdras,Esd
16|0|13|Nehemiah,Neh,Ne|Nehemías,Neh,Ne|Neemias,Nee,Ne
17|0|10|Esther,Esth,Est,Es|Ester,Est|Ester,Est
18|0|42|Job,Jb|Job,Jb|Jó
19|0|150|Psalm,Psalms,Psa,Pss,Ps|Salmo,Salmos,Sal,Sl|Salmo,Salmos,Sal,Sl
20|0|31|Proverbs,Prov,Pro,Pr|Proverbios,Prov,Pro,Pr|Provérbios,Prov,Pro,Pr,Pv
21|0|12|Ecclesiastes,Eccles,Eccl,Ecc,Ec|Eclesiastés,Ecl,Ec|Eclesiastes,Ecl,Ec
22|0|8|Song of Solomon,Song of Songs,Song of Sol,Canticles,Song,Cant,Ca|El Cantar de los Cantares,\
Cantar de los Cantares,Cantares,Cantar,Cant,Can|Cântico de Salomão,Cântico dos Cânticos,Cânticos,\
Cantares,Cân,Ct
23|0|66|Isaiah,Isa,Is|Isaías,Isa,Is|Isaías,Isa,Is
24|0|52|Jeremiah,Jer,Je|Jeremías,Jer|Jeremias,Jer,Jr
25|0|5|Lamentations,Lam,La|Lamentaciones de Jeremías,Lamentaciones,Lam|\
Lamentações de Jeremias,Lamentações,Lam,Lm
26|0|48|Ezekiel,Ezek,Eze,Ezk|Ezequiel,Ezeq,Eze,Ez|Ezequiel,Ezeq,Eze,Ez
27|0|12|Daniel,Dan,Da,Dn|Daniel,Dan,Da,Dn|Daniel,Dan,Da,Dn
28|0|14|Hosea,Hos,Ho|Oseas,Os|Oseias,Ose,Os
29|0|3|Joel,Joe,Jl|Joel,Joe,Jl|Joel,Jl
30|0|9|Amos,Am|Amós,Am|Amós,Am
31|0|1|Obadiah,Obad,Oba,Ob|Abdías,Abd|Obadias,Obd,Ob
32|0|4|Jonah,Jon|Jonás,Jon|Jonas,Jon,Jn
33|0|7|Micah,Mic|Miqueas,Miq|Miqueias,Miq,Mq
34|0|3|Nahum,Nah,Na|Nahúm,Nah,Na|Naum,Na
35|0|3|Habakkuk,Habaccuc,Hab|Habacuc,Hab|Habacuque,Hab,Hc
36|0|3|Zephaniah,Zeph,Zep|Sofonías,Sof|Sofonias,Sof,Sf
37|0|2|Haggai,Hag|Ageo,Hageo,Ag|Ageu,Ag
38|0|14|Zechariah,Zachariah,Zech,Zec|Zacarías,Zac,Za|Zacarias,Zac,Za,Zc
39|0|4|Malachi,Mal|Malaquías,Mal|Malaquias,Mal,Ml
40|0|28|Matthew,Matt,Mat,Mt|Mateo,Mat,Mt|Mateus,Mat,Mt
41|0|16|Mark,Mar,Mk,Mr|Marcos,Marc,Mar,Mc,Mr|Marcos,Mar,Mc,Mr
42|0|24|Luke,Luk,Lu,Lk|Lucas,Luc,Lu,Lc|Lucas,Luc,Lu,Lc
43|0|21|John,Joh,Jhn,Jn|Juan,Jn|João,Jo
44|0|28|Acts of the Apostles,Acts,Act,Ac|Hechos de los Apóstoles,Hechos,Hech,Hec,Hch|\
Atos dos Apóstolos,Atos,At
45|0|16|Romans,Rom,Ro|Romanos,Rom,Ro|Romanos,Rom,Ro,Rm
46|2|16,13|Corinthians,Cor,Co|Corintios,Cor,Co|Coríntios,Cor,Co
48|0|6|Galatians,Gal,Ga|Gálatas,Gál,Gá|Gálatas,Gál,Gl
49|0|6|Ephesians,Eph,Ep|Efesios,Efes,Efe,Ef|Efésios,Efé,Ef
50|0|4|Philippians,Phil,Php|Filipenses,Filip,Fil,Flp|Filipenses,Fil,Fp
51|0|4|Colossians,Col|Colosenses,Col|Colossenses,Col,Cl
52|2|5,3|Thessalonians,Thess,Thes,Th|Tesalonicenses,Tes,Te,Ts|Tessalonicenses,Tess,Tes,Te,Ts
54|2|6,4|Timothy,Tim,Ti,Tm|Timoteo,Tim,Ti,Tm|Timóteo,Tim,Ti,Tm
56|0|3|Titus,Tit|Tito,Tit|Tito,Tit,Tt
57|0|1|Philemon,Philem,Phm|Filemón,Filem,Flm|Filêmon,Filémon,Filêm,Flm
58|0|13|Hebrews,Heb|Hebreos,Heb|Hebreus,Heb,Hb,He
59|0|5|James,Jas,Jam|Santiago,Sant,Snt,Stg|Tiago,Tia,Tg
60|2|5,3|Peter,Pet,Pe,Pt|Pedro,Ped,Pe,Pt|Pedro,Ped,Pe,Pt
62|3|5,1,1|John,Joh,Jo,Jhn,Jn|Juan,Jn|João,Jo,Jn
65|0|1|Jude,Jud|Judas,Jud|Judas,Jud,Jd,Ju
66|0|22|Revelation,Revel,Rev,Re|Apocalipsis,Revelación,Apoc,Rev,Ap|Apocalipse,Revelação,Apoc,Apo,Ap
"""

LANGUAGES = ("en", "es", "pt")

SINGLE_CHAPTER_VERSES = {31: 21, 57: 25, 63: 13, 64: 15, 65: 25}
"""Books of one chapter, where a lone number is a verse, with their last verse."""


class BookFamily(NamedTuple):
    """Books of one name: `volumes` is 0 for a book without number, else how many there are."""

    first: int
    volumes: int
    chapters: tuple[int, ...]
    names: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def families() -> tuple[BookFamily, ...]:
    """All books, families of numbered books together; each language's full name comes first."""
    return tuple(_family(line) for line in _TABLE.strip().splitlines())


@lru_cache(maxsize=1)
def chapter_counts() -> dict[int, int]:
    """Number of chapters by book number."""
    return {
        family.first + index: count
        for family in families()
        for index, count in enumerate(family.chapters)
    }


def book_name(book: int, language: str) -> str:
    """The book's full name (`1 Juan`); English for a language without a table.

    Raises KeyError for a number outside 1..66.
    """
    for family in families():
        if family.first <= book < family.first + max(family.volumes, 1):
            name = family.names[language if language in LANGUAGES else "en"][0]
            return f"{book - family.first + 1} {name}" if family.volumes else name
    raise KeyError(book)


def _family(line: str) -> BookFamily:
    first, volumes, chapters, *names = line.split("|")
    return BookFamily(
        int(first),
        int(volumes),
        tuple(int(count) for count in chapters.split(",")),
        {lang: tuple(listed.split(",")) for lang, listed in zip(LANGUAGES, names, strict=True)},
    )
