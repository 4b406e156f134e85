"""Every place that shows a message in the window bounds its length, and the message bar has room for its text."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from album_app.errors import AlbumError
from album_app.gui.controls import ask_user
from album_app.gui.controls.bars import MessageBar, StatusLine

LONG = "The file " + "n" * 5000 + " cannot be read."


def test_messages_are_at_most_500_characters(qtbot: QtBot) -> None:
    bar, line, parent = MessageBar(), StatusLine(), QWidget()
    for widget in (bar, line, parent):
        qtbot.addWidget(widget)
    bar.show_message(LONG)
    texts = [bar.text]
    bar.keep_message("topic", LONG)
    texts.append(bar.text)
    for error in (AlbumError(LONG), ValueError(LONG)):
        bar.show_error(error)
        texts.append(bar.text)
    line.say(LONG)
    texts.append(line.label.text())
    boxes = [
        ask_user.save_first(parent, LONG, lambda answer: None),
        ask_user.lost_photos(parent, LONG, "", 2, lambda answer: None),
        ask_user.confirm(parent, LONG, "Do it", lambda: None),
    ]
    texts += [box.text() for box in boxes]
    for box in boxes:
        box.reject()
    assert all(100 < len(text) <= 500 and "\u2026" in text for text in texts)
    assert texts[0].startswith("The file n") and texts[0].endswith("n cannot be read.")


def test_the_message_bar_is_as_high_as_its_text_needs_next_to_its_buttons(qtbot: QtBot) -> None:
    parent = QWidget()
    parent.resize(640, 400)
    qtbot.addWidget(parent)
    parent.setStyleSheet("QPushButton { padding: 6px 60px }")
    bar = MessageBar()
    bar.float_over(parent, parent.rect)
    parent.show()
    bar.show_message("Unsaved work on the album of our holidays can be brought back.", ("Discard", bar.clear))
    qtbot.wait(20)
    assert bar.height() >= bar.heightForWidth(bar.width())
