"""The way to the table: QR code, address and code, on the GM's page, the TV and each phone."""

from __future__ import annotations

import io
from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import Any

import segno
from markupsafe import Markup
from pydantic import ValidationError

from webapp.hall import Hall
from webapp.refused import Refused
from webapp.ui.live import Item
from webapp.ui.markup import icon, join, move_attrs, submit
from webapp.wifi import Wifi, WifiNote

NO_ADDRESS = "This computer has no network address that a phone could reach: connect it to the Wi-Fi first."
NOBODY_YET = "Nobody has reached this computer yet."
REACHED = "A phone has reached this computer: the way is open."
CAUSES = (
    ("The firewall asks", "Its question may hide behind this window. Say yes for private networks."),
    ("Another network", "The phone is in another Wi-Fi, or on mobile data. Both must be in the same one."),
    ("A guest network", "Many keep devices apart. Use the home network, or a phone's hotspot."),
)


def door(hall: Hall) -> tuple[Hashable, ...]:
    """What the way to the table depends on, beside the table."""
    return (*hall.addresses(), hall.wifi.wifi, hall.reach.seen)


@lru_cache(maxsize=64)
def qr(address: str) -> Markup:
    """Dark on light whatever the theme, so that every camera reads it."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", scale=8, border=3, xmldecl=False, svgns=True, light="#fff", omitsize=True
    )
    return Markup(out.getvalue().decode())


def poster(
    addresses: list[str], code: str, *, others: int = 20, wifi: Wifi | None = None, folded: bool = False
) -> Markup:
    """The likeliest address as a QR code, `others` more, and the code in large letters.

    `folded`: the other addresses wait behind a tap, each with a QR code of its own.
    """
    if not addresses:
        return Markup("<p>{}</p>").format(NO_ADDRESS)
    first, *rest = addresses
    return Markup(
        '<div class="poster">{}<div class="qr" role="img" aria-label="QR code to join">{}</div>'
        '<div class="by-hand"><p class="quiet">Scan, or type</p><p class="address">{}</p>'
        '<p class="quiet">Table code</p><p class="code">{}</p>{}</div></div>'
    ).format(
        "" if wifi is None else _wifi(wifi),
        qr(f"{first}/join/{code}"),
        typed(first),
        code,
        _others(rest[:others], code, folded=folded),
    )


def typed(address: str) -> str:
    """An address as people type it: browsers know the rest by themselves."""
    return address.removeprefix("http://")


def _others(addresses: list[str], code: str, *, folded: bool) -> Markup:
    if not addresses:
        return Markup("")
    if not folded:
        told = join(Markup("<li>{}</li>").format(typed(address)) for address in addresses)
        return Markup('<p class="quiet">Not working? Try</p><ul class="others">{}</ul>').format(told)
    told = join(
        Markup('<li><div class="qr" role="img" aria-label="QR code for {0}">{1}</div>{0}</li>').format(
            typed(address), qr(f"{address}/join/{code}")
        )
        for address in addresses
    )
    return Markup('<details class="others"><summary>Not working? Try…</summary><ul>{}</ul></details>').format(told)


def _wifi(wifi: Wifi) -> Markup:
    password = Markup("Password <b>{}</b>").format(wifi.password) if wifi.password else "No password"
    return Markup(
        '<div class="wifi"><p class="quiet">First, the Wi-Fi</p>'
        '<div class="qr" role="img" aria-label="QR code of the Wi-Fi">{}</div><p><b>{}</b></p><p>{}</p></div>'
    ).format(qr(wifi.code()), wifi.name, password)


# --- for the GM ----------------------------------------------------------------------------------------------


def reach(seen: bool) -> Item:
    """Green from the first phone on; until then, what usually stands in the way."""
    attrs = {"role": "status", "aria-label": "Can phones reach me?"}
    if seen:
        words = Markup("<p>{} <b>{}</b></p>").format(icon("here"), REACHED)
        return Item("reach", words, classes="reach yes wide", attrs=attrs)
    causes = join(Markup("<li><b>{}.</b> {}</li>").format(what, why) for what, why in CAUSES)
    words = Markup("<p>{} <b>{}</b></p><p>Does a phone not get through? The usual causes:</p><ol>{}</ol>").format(
        icon("coming"), NOBODY_YET, causes
    )
    return Item("reach", words, classes="reach wide", attrs=attrs)


def invitation(hall: Hall, code: str) -> Iterator[Item]:
    """All that the GM needs to get phones to the table."""
    yield Item("poster", poster(hall.addresses(), code, wifi=hall.wifi.wifi, folded=True), classes="wide")
    yield reach(hall.reach.seen)
    words = "Somebody plays without a phone"
    yield Item("paper", words, tag="button", classes="button small", attrs={"data-open": "seats"})


def wifi_form(note: WifiNote) -> Iterator[Item]:
    """Typed once: from then on the poster lets phones into the network."""
    known = note.wifi
    inside = Markup(
        '<h2>Wi-Fi on the poster</h2><div class="fields"><label class="field"><span>Name of the Wi-Fi</span>'
        '<input name="name" maxlength="32" required autocomplete="off" autocapitalize="off" value="{}"></label>'
        '<label class="field"><span>Password</span><input name="password" maxlength="63" autocomplete="off"'
        ' autocapitalize="off" value="{}"></label><label class="field switch wide"><input type="checkbox"'
        ' name="on_screen"{}><span>On the TV as well</span></label></div>{}'
    ).format(
        known.name if known else "",
        known.password if known else "",
        Markup(" checked") if known is None or known.on_screen else "",
        submit("Put it on the poster"),
    )
    attrs = move_attrs({"move": "page.wifi"}, "Wi-Fi on the poster")
    yield Item("wifi", inside, tag="form", classes="form wide", attrs=attrs)
    if known is not None:
        attrs = move_attrs({"move": "page.forget_wifi"}, "Forget this Wi-Fi")
        yield Item("forget wifi", "Forget this Wi-Fi", tag="button", classes="button small", attrs=attrs)


def write_wifi(note: WifiNote, move: dict[str, Any]) -> None:
    if move.get("move") == "page.forget_wifi":
        note.forget()
        return
    try:
        wifi = Wifi.model_validate({name: value for name, value in move.items() if name != "move"})
    except ValidationError as error:
        raise Refused(_sentence(error)) from None
    note.write(wifi)


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    said = first.get("ctx", {}).get("error")
    return str(said) if said is not None else "Give the name of the Wi-Fi."
