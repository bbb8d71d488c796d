"""What a browser can measure of what eyes meet: contrast of every word, and whatever moves."""

from __future__ import annotations

from playwright.async_api import Page

# Every word that is shown, with less contrast to its ground than asked for. Pictures and their letters are left out.
TOO_FAINT = """least => {
  const parts = (color) => {
    const numbers = (color.match(/[\\d.]+/g) || []).map(Number);
    const scale = color.startsWith('color(') ? 255 : 1;
    const [red, green, blue, alpha = 1] = numbers;
    return {rgb: [red, green, blue].map((one) => one * scale), alpha};
  };
  const over = (top, ground) => top.rgb.map((one, n) => one * top.alpha + ground[n] * (1 - top.alpha));
  const groundOf = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const layer = parts(getComputedStyle(one).backgroundColor);
      if (layer.alpha > 0) layers.push(layer);
      if (layer.alpha === 1) break;
    }
    return layers.reverse().reduce((ground, layer) => over(layer, ground), [0, 0, 0]);
  };
  const light = (rgb) => {
    const [red, green, blue] = rgb.map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = new Set();
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const element = words.currentNode.parentElement;
    const said = words.currentNode.data.trim().slice(0, 40);
    if (!said || element.closest('svg, script, style, .nicegui-error-popup, #popup')) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || !box.height || style.visibility === 'hidden' || parseFloat(style.fontSize) === 0) continue;
    const ground = groundOf(element);
    const [first, second] = [light(over(parts(style.color), ground)), light(ground)].sort((a, b) => b - a);
    const ratio = (first + 0.05) / (second + 0.05);
    if (ratio < least - 0.005) found.add(`${ratio.toFixed(2)}: ${element.tagName} ${element.className} ${said}`);
  }
  return [...found];
}"""

# All that is moving, or would move with a change: by a rule of our own, or on any element there is.
MOVING = """() => {
  const found = document.getAnimations().map((one) => `runs: ${one.animationName || one.transitionProperty}`);
  const moves = (style) => (style.animationName || 'none') !== 'none'
    || (style.transitionDuration || '0s').split(',').some((one) => parseFloat(one) > 0);
  const ours = [...document.styleSheets].filter((one) => (one.href || '').includes('gritboard'));
  const follow = (rules) => {
    for (const rule of rules) {
      if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
      if (rule.selectorText && moves(rule.style)) found.push(`rule: ${rule.selectorText}`);
      else if (rule.cssRules) follow(rule.cssRules);
    }
  };
  ours.forEach((sheet) => follow(sheet.cssRules));
  if (!ours.length) found.push('our own style is not there');
  for (const one of document.querySelectorAll('body, body *')) {
    for (const part of [null, '::before', '::after']) {
      if (moves(getComputedStyle(one, part))) found.push(`element: ${one.tagName} ${one.className} ${part || ''}`);
    }
  }
  return [...new Set(found)];
}"""


async def too_faint(page: Page, least: float, where: str) -> list[str]:
    return [f"{where}: {one}" for one in await page.evaluate(TOO_FAINT, least)]


async def moving(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(MOVING)
    return found
