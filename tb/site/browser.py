# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through the pipe of its DevTools: opens pages of files, evaluates, takes pictures. Needs nothing but the browser."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    """The browser, or None where there is none."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Browser:
    def __init__(self, timeout=60):
        self.timeout, self.serial, self.events, self.buffer = timeout, 0, [], b""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        from_us, self.write_end = os.pipe()
        self.read_end, to_us = os.pipe()
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                   "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}"]
        # The browser reads commands from descriptor 3 and answers on 4.
        command = f'exec "$0" "$@" 3<&{from_us} 4>&{to_us}'
        self.process = subprocess.Popen(["bash", "-c", command, program(), *options], pass_fds=(from_us, to_us), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.folder.cleanup()

    def _message(self):
        end = time.monotonic() + self.timeout
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"the browser has said nothing for {self.timeout} s")
            data = os.read(self.read_end, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.serial += 1
        message = {"id": self.serial, "method": method, "params": parameters}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.serial:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        """Loads a file; returns what went wrong."""
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._message())
        return self.wrong()

    def wrong(self):
        """What went wrong since the page was opened: uncaught errors, error messages of the console, requests to anywhere but files."""
        # What its scripts said has come before this answer, and what they do when it is drawn is done.
        self.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(0))))")
        wrong = []
        for event in self.events:
            method, p = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                wrong.append(p["exceptionDetails"].get("exception", {}).get("description") or p["exceptionDetails"]["text"])
            elif method == "Log.entryAdded" and p["entry"]["level"] == "error":
                wrong.append(p["entry"]["text"] + " " + p["entry"].get("url", ""))
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "assert"):
                wrong.append("console: " + " ".join(str(a.get("value", "")) for a in p["args"]))
            elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("file:", "data:")):
                wrong.append("asks the network for " + p["request"]["url"])
        return wrong

    def evaluate(self, expression):
        """The value of an expression; of a promise, what it comes to."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "an expression failed"))
        return answer["result"].get("value")

    def show(self, width, dark=False, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, width=0, height=0, scale=1):
        """A PNG of the page from its top left corner on, as wide and high as said; 0: all of it."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": width or size["width"], "height": height or size["height"], "scale": scale}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"])
