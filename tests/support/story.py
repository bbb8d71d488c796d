"""Stories told in real browsers: one server with dice laid out, and everybody in a browser of their own.

    async with Story(chromium, tmp_path) as story:
        gm = await story.gm()
        ann = await story.phone("Ann")
        story.lay(5, 2, 4)

Whatever a browser complains about, and any traceback of the server, spoils the story at its end.
"""

import json
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from playwright.async_api import Browser, ConsoleMessage, Locator, Page, WebSocket, expect

from tests.support.proxy import Network, Proxy
from tests.support.server import ServerProcess

LAPTOP = (1366, 768)
PHONE = (390, 844)
TV = (1920, 1080)
PATIENCE = 15_000
UNSENT = "JSON.parse(sessionStorage.getItem('gritboard.pending') || '[]').length"


class Seen:
    """One person's browser, or the screen's."""

    def __init__(self, name: str, page: Page, base: str, troubles: list[str]) -> None:
        self.name = name
        self.page = page
        self.base = base
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(f"{name}: {error}"))
        page.on("console", lambda message: self._hear(message, troubles))

    def _hear(self, message: ConsoleMessage, troubles: list[str]) -> None:
        if message.type == "error":
            troubles.append(f"{self.name}: {message.text}")

    async def goto(self, path: str) -> None:
        await self.page.goto(self.base + path)
        await self.is_live()

    async def is_live(self) -> None:
        """The page has its socket, so that a tap is sent at once."""
        await self.page.wait_for_function("window.socket && window.socket.connected")

    async def document(self) -> str:
        """Tells a page from the same page loaded anew."""
        return str(await self.page.evaluate("window.documentId"))

    async def until_loaded_anew(self, document: str) -> None:
        await self.page.wait_for_function(
            "old => window.documentId && window.documentId !== old && window.socket && window.socket.connected",
            arg=document,
        )

    def find(self, selector: str, words: str | None = None) -> Locator:
        return self.page.locator(selector, has_text=words)

    def button(self, words: str, within: str = "body") -> Locator:
        return self.find(f"{within} button:visible", words).first

    async def shows(self, words: str, within: str = "body") -> None:
        """To the eye, in whatever element says it within these."""
        told = f":is({within}, :is({within}) *):text({json.dumps(words, ensure_ascii=False)}):visible"
        await expect(self.page.locator(told).first).to_be_visible(timeout=PATIENCE)

    async def has(self, selector: str, count: int, words: str | None = None) -> None:
        await expect(self.find(selector, words)).to_have_count(count, timeout=PATIENCE)

    def row(self, words: str) -> Locator:
        return self.find(".row", words)

    async def holds_none(self, *words: str) -> None:
        """Not even where no eye would find it."""
        page = await self.page.content()
        assert [word for word in words if word in page] == [], self.name

    async def all_answered(self) -> None:
        """Everything that was tapped has its answer."""
        await self.page.wait_for_function(f"{UNSENT} === 0")

    async def has_unsent(self) -> None:
        await self.page.wait_for_function(f"{UNSENT} > 0")


class GM(Seen):
    async def opens(self, sample: str) -> str:
        """A table that is ready to play; its code."""
        await self.button(sample).click()
        return await self._is_at_the_table()

    async def opens_own(self, name: str, *games: str) -> str:
        await self.page.get_by_label("Name of the table").fill(name)
        for game in games:
            await self.page.get_by_label(game).check()
        await self.button("Open the table").click()
        code = await self._is_at_the_table()
        await self.shows(name, "h1")
        return code

    async def _is_at_the_table(self) -> str:
        await self.page.wait_for_url("**/t/*/gm")
        await self.is_live()
        return self.page.url.split("/")[-2]

    async def adds(self, foe: str) -> None:
        await self.button("Add foes").click()
        await self.find("dialog form", foe).get_by_role("button").click()
        await self.shows(foe, ".cast")

    async def ends_the_fight(self) -> None:
        """It takes two taps."""
        await self.button("End the fight").click()
        await self.find("[data-asked]", "End the fight").click()

    async def next(self, words: str) -> None:
        """Presses the big button, once it is about to do this."""
        await self.button(words, ".big").click()
        await self.all_answered()

    async def next_until_asked(self, hero: str, *, most: int = 16) -> None:
        """Presses the big button until this hero is the first who is asked something."""
        big = self.page.locator(".next")
        for _ in range(most):
            asked = self.page.locator(".waiting").inner_text
            if "go on" in await big.inner_text() and hero in await asked():
                return
            before = await big.get_attribute("data-move") or ""
            await big.click()
            await expect(big).not_to_have_attribute("data-move", before, timeout=PATIENCE)
        raise AssertionError(f"nobody asked {hero} anything")

    async def act(self, target: str) -> None:
        """Whoever is up strikes at this one, with the first device."""
        await self.find(".acts button.target:visible", target).first.click()
        await self.all_answered()

    async def undo(self, words: str) -> None:
        """Undoes the newest row that says this."""
        told = f".row:has-text({json.dumps(words)}):not(:has-text('Undone:'))"
        await self.page.locator(f".log {told} + .undo").first.click()
        await self.all_answered()


class Phone(Seen):
    async def sits_down(self, code: str) -> None:
        await self.goto(f"/join/{code}")
        await self.page.get_by_label("Your name").fill(self.name)
        await self.takes_a_seat()

    async def takes_a_seat(self) -> None:
        """With a name that stands in the form already."""
        await self.tap("Sit down")
        await self.page.wait_for_url("**/t/*/play")
        await self.is_live()

    async def takes(self, hero: str) -> None:
        await self.tap(hero)
        await self.shows(hero, "h1")

    async def makes(self, start: str, hero: str) -> None:
        form = self.find("form.start", start)
        await form.get_by_label("Name").fill(hero)
        await form.get_by_role("button").tap()
        await self.shows(hero, "h1")

    async def tab(self, name: str) -> None:
        await self.page.locator(f"button[data-tab={name}]").tap()

    async def tap(self, words: str, within: str = "body") -> None:
        await self.button(words, within).tap()

    async def is_asked(self, *words: str) -> None:
        for word in words:
            await self.shows(word, ".question-sheet")

    async def is_not_asked(self) -> None:
        await self.has(".question-sheet button", 0)

    async def answer(self, choice: str) -> None:
        await self.tap(choice, ".question-sheet")
        await self.all_answered()


class SleepyPhone(Phone):
    """A phone whose Wi-Fi goes away when it sleeps."""

    def __init__(self, name: str, page: Page, proxy: Proxy, troubles: list[str]) -> None:
        super().__init__(name, page, proxy.base, troubles)
        self._proxy = proxy

    async def sleep(self) -> None:
        self._proxy.network = Network.REFUSES
        self._proxy.reset_all()
        await self.page.wait_for_function("!window.socket.connected")

    async def wake(self) -> None:
        self._proxy.network = Network.FINE
        await self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await self.is_live()


class Overheard:
    """All that reaches one browser from now on."""

    def __init__(self, person: Seen) -> None:
        self.name = person.name
        self._frames: list[str] = []
        person.page.on("websocket", self._listen)

    def carried(self, *words: str) -> list[str]:
        """Those of these words that came over the wire."""
        everything = "".join(self._frames)
        return [word for word in words if word in everything]

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._note)

    def _note(self, frame: str | bytes) -> None:
        self._frames.append(frame if isinstance(frame, str) else frame.decode(errors="replace"))


class Story:
    def __init__(self, chromium: Browser, folder: Path) -> None:
        self._chromium = chromium
        self._dice = folder / "dice.json"
        self._host_secret = folder / "host-secret"
        self._troubles: list[str] = []
        self._forgiven: list[tuple[int, str]] = []
        self._exits = AsyncExitStack()
        self.code = ""
        self.lay()
        self.server = ServerProcess(
            "tests.support.story_server",
            folder / "server.log",
            {"GRITBOARD_DATA": str(folder), "STORY_DICE": str(self._dice)},
        )

    async def __aenter__(self) -> "Story":
        self.server.start()
        self._exits.callback(self.server.stop)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exits.aclose()
        log = self.server.log()
        if error is None:
            assert "Traceback" not in log, log
            assert not self.troubles(), "\n".join(self.troubles())
        else:
            error.add_note("\n".join([*self.troubles(), "The server said:", log[-3000:]]))

    def troubles(self) -> list[str]:
        return [
            trouble
            for nth, trouble in enumerate(self._troubles)
            if not any(nth >= since and words in trouble for since, words in self._forgiven)
        ]

    def forgive(self, *words: str) -> None:
        """From now on complaints with these words in them are what the story is about."""
        self._forgiven += [(len(self._troubles), said) for said in words]

    # --- dice

    def lay(self, *faces: int) -> None:
        """The faces that fall next, and no others."""
        self._dice.write_text(json.dumps(faces))

    def faces_left(self) -> list[int]:
        left: list[int] = json.loads(self._dice.read_text())
        return left

    # --- people

    async def gm(self) -> GM:
        gm = GM("GM", await self._page(LAPTOP), self.server.base, self._troubles)
        await gm.goto(f"/host/{self._host_secret.read_text()}")
        return gm

    async def phone(self, name: str) -> Phone:
        return Phone(name, await self._page(PHONE, mobile=True), self.server.base, self._troubles)

    async def sleepy_phone(self, name: str) -> SleepyPhone:
        proxy = await self._exits.enter_async_context(Proxy(self.server.port))
        return SleepyPhone(name, await self._page(PHONE, mobile=True), proxy, self._troubles)

    async def tv(self, *, scripts: bool = True) -> Seen:
        return Seen("TV", await self._page(TV, scripts=scripts), self.server.base, self._troubles)

    async def phone_without_scripts(self, name: str) -> Phone:
        page = await self._page(PHONE, mobile=True, scripts=False)
        return Phone(name, page, self.server.base, self._troubles)

    async def _page(self, size: tuple[int, int], *, mobile: bool = False, scripts: bool = True) -> Page:
        context = await self._chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=mobile,
            is_mobile=mobile,
            java_script_enabled=scripts,
        )
        self._exits.push_async_callback(context.close)
        return await context.new_page()


@dataclass
class Company:
    """Everybody at a table."""

    story: Story
    gm: GM
    tv: Seen

    @property
    def phones(self) -> dict[str, Phone]:
        """By the hero who is played on it."""
        raise NotImplementedError

    async def everybody_reads(self, *sentences: str) -> None:
        for person in (self.gm, *self.phones.values()):
            for sentence in sentences:
                await expect(person.row(sentence).first).to_be_attached(timeout=PATIENCE)

    async def derives(self, sentence: str, *parts: str) -> None:
        """Behind this row of everybody's log stands a roll with all of these in it."""
        for person in (self.gm, *self.phones.values()):
            for part in parts:
                roll = person.row(sentence).first.locator(".roll", has_text=part)
                await expect(roll.first).to_be_attached(timeout=PATIENCE)

    async def is_nowhere(self, *words: str) -> None:
        """On no phone and not on the TV."""
        for person in (self.tv, *self.phones.values()):
            await person.holds_none(*words)

    def all_dice_fell(self) -> None:
        assert self.story.faces_left() == []
