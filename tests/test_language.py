"""What is said to people is said in their language: nothing escapes, nothing is missing, plural forms are right."""

import ast
import gettext
import io
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import IO

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from album_app import language, shipped_file
from album_app.cli import main
from album_app.language import StoredText, packed_text, shown, tr, trn, unpacked_text
from album_app.paths import preferences_file
from tests import texts

CATALOGUE = "language/de/LC_MESSAGES/album_app"
SPOKEN = (
    "language.py",
    "gui/",
    "cli/",
    "layout/",
    "sample/",
    "photos/",
    "render/",
    "paths.py",
    "errors.py",
)
SILENT = (
    *("render/painters/pdf.py", "render/painters/pdf_file.py", "render/painters/svg.py", "render/painters/profile.py"),
    *("render/page/text_faces.py", "photos/cache.py", "photos/__init__.py"),
    *("photos/decoding/image_formats.py", "photos/decoding/header.py"),
)
"""Modules and folders whose texts are all translated, and those among them that speak to researchers or programs."""


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    language.use(language.ENGLISH)


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\{(\w*)[^}]*\}", text))


@cache
def german() -> dict[str | tuple[str, ...], str | tuple[str, ...]]:
    with shipped_file(f"{CATALOGUE}.po").open("rb") as file:
        catalogue = read_po(file, locale="de")
    return {_key(message): message.string for message in catalogue if message.id and not message.fuzzy}


def _key(message: Message) -> str | tuple[str, ...]:
    return f"{message.context}\x04{message.id}" if message.context else message.id


def test_every_text_is_in_german() -> None:
    known = german()
    missing = [f"{where}: {key}" for key, where in texts.keys().items() if not all(_forms(known.get(key)))]
    assert not missing, "\n".join(missing)


def test_the_catalogue_holds_nothing_that_nobody_says() -> None:
    assert german().keys() - texts.keys().keys() == set()


def test_the_catalogue_is_compiled_without_a_complaint() -> None:
    with shipped_file(f"{CATALOGUE}.po").open("rb") as file:
        catalogue = read_po(file, locale="de", abort_invalid=True)
    assert [(message.id, errors) for message, errors in catalogue.check()] == []


def test_every_place_in_a_text_is_filled() -> None:
    assert list(texts.misfilled()) == []


def test_translations_name_the_same_values() -> None:
    pairs = [pair for key, reported in german().items() for pair in zip(_forms(key), _forms(reported), strict=True)]
    wrong = [pair for pair in pairs if names_in(pair[0]) - {"count"} != names_in(pair[1]) - {"count"}]
    assert not wrong


def _forms(text: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return (text or "",) if not isinstance(text, tuple) else text


def test_the_catalogue_that_is_read_is_made_from_the_one_that_is_written() -> None:
    made = io.BytesIO()
    with shipped_file(f"{CATALOGUE}.po").open("rb") as file:
        write_mo(made, read_po(file))
    made.seek(0)
    with shipped_file(f"{CATALOGUE}.mo").open("rb") as file:
        assert _texts_in(file) == _texts_in(made)


def _texts_in(compiled: IO[bytes]) -> dict[object, str]:
    """Without the head, which tells when it was made."""
    texts: dict[object, str] = dict(vars(gettext.GNUTranslations(compiled))["_catalog"])
    return texts | {"": ""}


def test_no_text_escapes() -> None:
    wrong = [
        text
        for where, module in texts.sources()
        if where.startswith(SPOKEN) and not where.startswith(SILENT)
        for text in texts.escaped(where, module)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("asked", "environment", "preferred", "spoken"),
    [
        ("", {}, "", "en"),
        ("", {"LANG": "de_AT.UTF-8"}, "", "de"),
        ("", {"LANG": "fr_FR.UTF-8"}, "", "en"),
        ("", {"LANGUAGE": "fr:de", "LANG": "en_GB"}, "", "de"),
        ("", {"LC_ALL": "C", "LANG": "de_DE"}, "", "en"),
        ("", {"LANG": "de_DE"}, "en", "en"),
        ("", {"LANG": "de_DE", "ALBUM_APP_LANGUAGE": "en"}, "de", "en"),
        ("de", {"ALBUM_APP_LANGUAGE": "en"}, "en", "de"),
        ("", {"LANG": "German_Germany"}, "", "de"),
    ],
)
def test_the_language_is_the_asked_or_preferred_one_or_the_system_s(
    asked: str, environment: dict[str, str], preferred: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "ALBUM_APP_LANGUAGE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(language.locale, "getlocale", lambda: (None, None))
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert language.choose(asked, preferred) == spoken


def test_a_command_speaks_the_language_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "de", "arrange"]) == 2
    assert capsys.readouterr().err.startswith("album-app: es fehlen die Angaben: ORDNER")
    assert os.environ[language.VARIABLE] == "de"  # for the processes that it starts
    assert main(["arrange", "--lang=xx"]) == 2
    assert "xx" in capsys.readouterr().err


def test_a_command_speaks_the_preferred_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(language.VARIABLE)
    preferences_file().parent.mkdir(exist_ok=True)
    preferences_file().write_text('{"preferences/language": "de"}')
    main(["arrange"])
    assert "es fehlen" in capsys.readouterr().err


def test_texts_that_count_have_the_right_form() -> None:
    def photos(count: int) -> str:
        return trn("{count} photo", "{count} photos", count)

    assert [photos(count) for count in (0, 1, 2, 12345)] == ["0 photos", "1 photo", "2 photos", "12,345 photos"]
    language.use("de")
    assert [photos(count) for count in (0, 1, 2, 12345)] == ["0 Fotos", "1 Foto", "2 Fotos", "12.345 Fotos"]


def test_numbers_are_written_as_the_language_does() -> None:
    assert language.number(1234.56, 1) == "1,234.6"
    language.use("de")
    assert language.number(1234.56, 1) == "1.234,6"


def test_a_text_that_is_not_translated_stays_as_it_is_and_a_blank_one_blank() -> None:
    language.use("de")
    assert (tr("IMG_{name}.jpg", name=7), tr("")) == ("IMG_7.jpg", "")


def test_every_stored_text_is_shown_in_the_language_in_use() -> None:
    assert texts.stored_keys()
    for key in sorted(texts.stored_keys()):
        language.use(language.ENGLISH)
        stored = StoredText(key, **dict.fromkeys(names_in(key), "7"))
        kept = unpacked_text(json.loads(json.dumps(packed_text(stored))))
        assert shown(kept) == stored == kept, key
        language.use("de")
        assert shown(kept) == tr(key, **dict.fromkeys(names_in(key), "7")) != stored, key


def test_no_text_is_stored_without_its_key() -> None:
    """A text that `format` has filled can no longer be translated."""
    assert texts.filled_before_they_are_shown() == []


def test_stored_texts_hold_others_and_obey_no_format_codes() -> None:
    stored = unpacked_text(["could not be read ({reason})", {"reason": ["Permission denied", {}]}])
    assert stored == "could not be read (Permission denied)"
    language.use("de")
    assert shown(stored) == tr("could not be read ({reason})", reason=tr("Permission denied")) != stored
    assert shown("said by somebody else: 7") == "said by somebody else: 7"
    assert language.reason(OSError(28, "No space left on device")) == "Kein Platz mehr auf dem Datenträger"
    assert shown(unpacked_text(["{x:>999999999}{x.__class__}", {"x": 1}])) == "{x:>999999999}{x.__class__}"


@pytest.mark.parametrize(
    "content", [7, None, ["key"], [7, {}], ["key", {"x": None}], ["{x}", {"x": ["{y}", {"y": 1}]}]]
)
def test_what_is_no_stored_text_is_refused(content: object) -> None:
    with pytest.raises(ValueError, match="not a stored text"):
        unpacked_text(content)


def test_the_pseudo_language_is_longer_and_keeps_places_and_marks() -> None:
    language.use("pseudo")
    said = tr("Open <b>{name}</b> now, please", name="Crete")
    assert "<b>Crete</b>" in said and said.startswith("[") and said.endswith("]")
    assert len(said) >= 1.35 * len("Open <b>Crete</b> now, please")
    assert "e" not in said.replace("Crete", "")


def test_an_escaped_text_is_found() -> None:
    wrong = ['label.setText("Photos")', 'raise AlbumError(f"{name} is gone")', 'say("Two words here")']
    right = [
        'x = tr("Two words")',
        '"""Words of a docstring."""',
        'log.info("two words")',
        'raise ValueError("two words")',
    ]
    assert len(list(texts.escaped("module", ast.parse("\n".join(wrong + right))))) == len(wrong)
