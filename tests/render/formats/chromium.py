"""A real Chromium without a window, driven through its debugging pipe: just as much of it as a page's tests need."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 120.0
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27, "Home": 36}

Message = dict[str, Any]


class Browser:
    """One page in one browser; remembers every request and everything the page complained about."""

    def __init__(self, process: subprocess.Popen[bytes], sending: int, hearing: int) -> None:
        self._process, self._sending, self._hearing = process, sending, hearing
        self._heard = b""
        self._count = 0
        self._session = ""
        self.events: list[Message] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: object) -> Message:
        """Send a command and wait for its answer."""
        self._count += 1
        message: Message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._sending, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._hear()
            if answer.get("id") == self._count:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])

    def _hear(self) -> Message:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._heard:
            ready = select.select([self._hearing], [], [], max(0, deadline - time.monotonic()))[0]
            data = os.read(self._hearing, 1 << 20) if ready else b""
            assert data, "Chromium said nothing"
            self._heard += data
        text, self._heard = self._heard.split(b"\0", 1)
        message: Message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def calm(self, wanted: bool) -> None:
        """Ask pages for less motion, or for what they usually do."""
        preference = {"name": "prefers-reduced-motion", "value": "reduce" if wanted else ""}
        self.ask("Emulation.setEmulatedMedia", features=[preference])

    def open(self, page: Path, width: int = 1200, height: int = 800, ratio: float = 1.0, touch: bool = False) -> None:
        """Show a file and wait until it can be used."""
        self.events.clear()
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=touch
        )
        self.ask("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5)
        self.ask("Page.navigate", url=page.absolute().as_uri())
        self.wait("performance.getEntriesByName('interactive').length > 0 && document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What an expression comes to in the page."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until a condition holds."""
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.ask("Runtime.evaluate", expression=condition, returnByValue=True)
            if answer["result"].get("value") is True:
                return
            assert time.monotonic() < deadline, condition
            self.value("new Promise((resolve) => setTimeout(resolve, 20))")

    def rest(self) -> None:
        """Until the sheet has stopped gliding and every sharp picture that is wanted has come."""
        self.wait(
            "!album.sheet.frame && !album.sheet.pictures.running.size && !album.sheet.pictures.queue.length "
            "&& album.viewport.now.scale === album.viewport.goal.scale"
        )

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def wheel(self, x: float, y: float, amount: float) -> None:
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=amount)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=places)

    def press(self, key: str, shift: bool = False) -> None:
        common = {"key": key, "modifiers": 8 if shift else 0}
        common |= {"windowsVirtualKeyCode": KEYS[key]} if key in KEYS else {"text": key}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **common)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **{**common, "text": ""})

    def type(self, text: str) -> None:
        self.ask("Input.insertText", text=text)

    def screenshot(self) -> Image.Image:
        data = base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])
        return Image.open(BytesIO(data)).convert("RGB")

    def requests(self) -> list[str]:
        """The addresses the page asked for, other than itself and what lies in it."""
        asked = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        urls = [params["request"]["url"] for params in asked if params.get("type") != "Document"]
        return [url for url in urls if not url.startswith(("data:", "blob:"))]

    def complaints(self) -> list[Message]:
        """Errors, warnings and breaches of the page's policy."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [event for event in self.events if event["method"] in kinds]


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser of its own, ended afterwards; the test is skipped where there is none."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    (theirs_in, sending), (hearing, theirs_out) = os.pipe(), os.pipe()
    command = (
        f'exec "$0" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe '
        f'--disable-dev-shm-usage --no-first-run --user-data-dir="$1" 3<&{theirs_in} 4>&{theirs_out} 2>/dev/null'
    )
    process = subprocess.Popen(["bash", "-c", command, program, str(profile)], pass_fds=(theirs_in, theirs_out))
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(process, sending, hearing)
    finally:
        process.terminate()
        process.wait()
        os.close(sending)
        os.close(hearing)
