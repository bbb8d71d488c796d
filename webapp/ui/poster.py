"""The way to the table: QR code, address and code, on the GM's page and the TV."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=64)
def qr(address: str) -> Markup:
    """Dark on light whatever the theme, so that every camera reads it."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", scale=8, border=3, xmldecl=False, svgns=True, light="#fff", omitsize=True
    )
    return Markup(out.getvalue().decode())


def poster(addresses: list[str], code: str, *, others: int = 20) -> Markup:
    """The likeliest address as a QR code, `others` more to type, and the code in large letters."""
    if not addresses:
        return Markup("<p>This computer has no network address that a phone could reach.</p>")
    first, *rest = [f"{address}/join/{code}" for address in addresses]
    more = Markup("").join(Markup("<li>{}</li>").format(address) for address in rest[:others])
    also = Markup('<p class="quiet">Or try</p><ul class="others">{}</ul>').format(more) if more else ""
    return Markup(
        '<div class="poster"><div class="qr" role="img" aria-label="QR code to join">{}</div>'
        '<div class="by-hand"><p class="quiet">Scan, or type</p><p class="address">{}</p>'
        '<p class="quiet">Table code</p><p class="code">{}</p>{}</div></div>'
    ).format(qr(first), first, code, also)
