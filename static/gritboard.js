/* Gritboard in the browser: wakes fast, sends every tap exactly once, shows what the table answers.
   The other half is webapp/ui/wire.py. Uses the public interface of socket.io-client only. */
(function () {
  'use strict';

  const PROBE_MS = 350; // an open socket that stays silent this long after waking is taken for dead
  const ANSWER_MS = 2500; // a move without an answer: the socket is half open
  const FRESH_MS = 400; // an attempt that has only just begun is left alone
  const PATIENCE_MS = 500; // with a knock or an attempt to connect; it grows with every disappointment
  const MOST_PATIENCE_MS = 2500;
  const RETRY_MS = 400;
  const TOO_OLD_MS = 30000;
  const TICK_MS = 250;
  const SAY_MS = 6000;
  const REFUSED_MS = 12000;
  const LONGEST = 15000; // characters; the server takes 16 KB
  const ALIVE_PATH = '/_alive';
  const PENDING_KEY = 'gritboard.pending';
  const TAB_KEY = 'gritboard.tab:';
  const NOW_KEY = 'gritboard.now:';
  const RELOAD_KEY = 'gritboard.reloaded';

  // --- small helpers --------------------------------------------------------------------------------

  const storage = {
    memory: {},
    get(key) {
      if (key in this.memory) return this.memory[key];
      try { return sessionStorage.getItem(key); } catch (error) { return null; }
    },
    set(key, value) {
      try {
        sessionStorage.setItem(key, value);
        delete this.memory[key];
      } catch (error) {
        this.memory[key] = value; // forbidden or full: at least for this page
      }
    },
  };

  function newTap() {
    const source = window.crypto || {};
    if (source.randomUUID) return source.randomUUID();
    const bytes = new Uint8Array(16);
    if (source.getRandomValues) source.getRandomValues(bytes);
    else for (let i = 0; i < 16; i++) bytes[i] = Math.floor(Math.random() * 256);
    return Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join('');
  }

  function parse(text, otherwise) {
    try { return JSON.parse(text); } catch (error) { return otherwise; }
  }

  function buzz(pattern) {
    const activation = navigator.userActivation;
    if (navigator.vibrate && !(activation && !activation.hasBeenActive)) navigator.vibrate(pattern);
  }

  const isVisible = (element) => element.getClientRects().length > 0;
  const isOff = (element) => element.disabled === true || element.getAttribute('aria-disabled') === 'true';
  const here = () => window.location.pathname;
  const ageOf = (entry) => Math.max(0, Date.now() - entry.at);

  // --- what waits for an answer: [{tap, move, label, at, path, tried?, expired?}] ------------------------

  const locals = new Map(); // tap -> {sentAt, element, form, resolve}: what a reload forgets

  function readPending() {
    const list = parse(storage.get(PENDING_KEY) || '[]', []);
    return Array.isArray(list) ? list.filter((entry) => entry && typeof entry.tap === 'string') : [];
  }

  function writePending(list) {
    storage.set(PENDING_KEY, JSON.stringify(list));
  }

  function localOf(tap) {
    if (!locals.has(tap)) locals.set(tap, { sentAt: 0, focused: document.activeElement });
    return locals.get(tap);
  }

  function change(tap, changes) {
    writePending(readPending().map((entry) => (entry.tap === tap ? Object.assign(entry, changes) : entry)));
  }

  function isWaiting(move, element) {
    const text = JSON.stringify(move);
    return readPending().some((entry) => {
      if (entry.expired || entry.path !== here()) return false;
      const local = locals.get(entry.tap);
      return (local && local.element === element) || JSON.stringify(entry.move) === text;
    });
  }

  function send(move, label, source) {
    const entry = { tap: newTap(), move: move, label: String(label || 'tap'), at: Date.now(), path: here() };
    if (JSON.stringify(entry).length > LONGEST) {
      const refusal = { ok: false, say: 'That is too long to send.' };
      showAnswer(refusal, source && source.form);
      return Promise.resolve(refusal);
    }
    const local = Object.assign(localOf(entry.tap), source);
    const answered = new Promise((resolve) => { local.resolve = resolve; });
    if (local.element) local.element.setAttribute('aria-busy', 'true');
    writePending(readPending().concat([entry]));
    if (isConnected()) transmit(entry);
    return answered;
  }

  function transmit(entry) {
    const tap = entry.tap;
    localOf(tap).sentAt = Date.now();
    if (!entry.tried) change(tap, { tried: true });
    const message = { client_id: window.clientId, tap: tap, age: ageOf(entry), move: entry.move };
    plainEmit('gritboard', message, (answer) => receive(tap, answer));
  }

  function receive(tap, answer) {
    const given = answer && typeof answer === 'object' ? answer : { ok: false, say: 'The table did not understand that.' };
    if (given.retry || given.stale) {
      localOf(tap).sentAt = 0;
      if (given.stale) reloadWhenAlive();
      else setTimeout(flush, RETRY_MS);
      return;
    }
    const known = readPending().some((entry) => entry.tap === tap);
    writePending(readPending().filter((entry) => entry.tap !== tap));
    finish(tap, given, known);
    showPending();
  }

  function finish(tap, answer, known) {
    const local = locals.get(tap) || {};
    locals.delete(tap);
    if (local.element) local.element.removeAttribute('aria-busy');
    if (known) showAnswer(answer, local.form);
    if (answer.ok && local.form) forgetTyped(local.form);
    if (answer.ok && local.form && local.form.hasAttribute('data-reset')) local.form.reset();
    if (answer.ok && local.closes) closeDialog(local.closes);
    if (answer.ok && answer.focus) focusSoon(answer.focus, local.focused, 40);
    if (local.resolve) local.resolve(answer);
  }

  /** What a key led to takes the focus, once it is drawn, unless somebody has gone to a field meanwhile. */
  function focusSoon(selector, before, tries) {
    const now = document.activeElement;
    if (now && now !== before && now.matches(FIELDS)) return;
    const found = Array.from(document.querySelectorAll(selector)).filter(isVisible)[0];
    if (!found) { if (tries > 0) setTimeout(() => focusSoon(selector, before, tries - 1), 50); return; }
    movedByKeyboard = true;
    found.scrollIntoView({ block: 'nearest' });
    found.focus();
  }

  /** Send again, in order and under the same tap ids, whatever has no answer yet. */
  function flush() {
    if (!isConnected()) return;
    expire();
    for (const entry of readPending()) {
      if (!entry.expired && entry.path === here() && !localOf(entry.tap).sentAt) transmit(entry);
    }
    flushPageEvents();
  }

  function forgetSent() {
    locals.forEach((local) => { local.sentAt = 0; });
    pageEvents.forEach((event) => { event.sentAt = 0; });
  }

  function expire() {
    const list = readPending();
    const old = list.filter((entry) => {
      const local = locals.get(entry.tap);
      const onItsWay = local && local.sentAt && Date.now() - local.sentAt < ANSWER_MS;
      return !entry.expired && !onItsWay && ageOf(entry) > TOO_OLD_MS;
    });
    if (!old.length) return;
    old.forEach((entry) => { entry.expired = true; });
    writePending(list);
    old.forEach((entry) => {
      const local = locals.get(entry.tap);
      if (local && local.element) local.element.removeAttribute('aria-busy');
      if (local && local.resolve) local.resolve({ ok: false, say: null, unsent: true });
      if (local) local.resolve = null;
    });
    showPending();
  }

  // --- NiceGUI's own events (moving between sub pages) go the same way, but only in memory -----------------

  const pageEvents = new Map(); // tap -> {message, at, sentAt}
  let plainEmit = function () {};

  function emitPageEvent(message) {
    const tap = newTap();
    pageEvents.set(tap, { message: Object.assign({}, message, { tap: tap }), at: Date.now(), sentAt: 0 });
    flushPageEvents();
  }

  function flushPageEvents() {
    if (!isConnected()) return;
    pageEvents.forEach((event, tap) => {
      if (Date.now() - event.at > TOO_OLD_MS) pageEvents.delete(tap);
      else if (!event.sentAt) transmitPageEvent(event, tap);
    });
  }

  function transmitPageEvent(event, tap) {
    event.sentAt = Date.now();
    plainEmit('event', event.message, (answer) => {
      if (answer !== 'slow') { pageEvents.delete(tap); return; }
      event.sentAt = 0;
      setTimeout(flushPageEvents, RETRY_MS);
    });
  }

  // --- the socket -----------------------------------------------------------------------------------

  let socket = null;
  let leaving = false; // a reload is under way
  let attemptAt = 0; // when the last attempt to connect began
  let attempting = false; // it has neither led nor failed yet
  let pollingFirst = false;
  let patience = PATIENCE_MS;
  let knocking = null; // what stops the knock that is under way
  let knockedAt = 0;

  const isConnected = () => Boolean(socket && socket.connected);

  function takeOver() {
    const found = window.socket;
    if (!found || !found.io) { setTimeout(takeOver, 5); return; }
    socket = found;
    attemptAt = Date.now();
    attempting = !socket.connected;
    socket.io.reconnection(false); // its many WebSockets would wear the browser out: see knock
    socket.io.timeout(false); // NiceGUI reloads when connecting takes long; without a network that ends on an error page
    socket.io.on('open', () => { attemptAt = Date.now(); }); // half of the way: patience begins anew
    plainEmit = socket.emit.bind(socket);
    socket.emit = function (name, message) {
      if (name === 'ack' && !isConnected()) return socket; // said again every few seconds: no need to pile it up
      if (name !== 'event') return plainEmit.apply(null, arguments);
      emitPageEvent(message);
      return socket;
    };
    socket.off('connect_error'); // NiceGUI's own reloads at once, whether or not the server can answer
    socket.on('connect_error', (error) => {
      attempting = false;
      if (error && error.message === 'Implicit handshake failed') reloadWhenAlive();
    });
    socket.on('disconnect', onDisconnect);
    socket.on('connect', onConnect);
    socket.on('gritboard', onPush);
    if (socket.connected) flush();
  }

  function onConnect() {
    attempting = false;
    patience = PATIENCE_MS;
    forgetSent();
    flush();
  }

  function onDisconnect() {
    attempting = false;
    forgetSent();
    knock();
  }

  function connectAnew() {
    if (!socket || leaving) return;
    const query = socket.io.opts.query;
    if (query && window.nextMessageId !== undefined) query.next_message_id = window.nextMessageId;
    socket.disconnect();
    attemptAt = Date.now();
    attempting = true;
    socket.connect();
  }

  /** Browsers hold WebSockets back for seconds once many of them have failed: ask first whether the server is there. */
  function knock() {
    if (!socket || leaving || socket.connected) return;
    if (knocking) knocking.abort(); // it may be stuck in a connection that died long ago
    const mine = knocking = new AbortController();
    askAlive(mine).then((alive) => {
      if (knocking !== mine) return;
      knocking = null;
      knockedAt = Date.now();
      if (alive) comeIn();
      else losePatience();
    });
  }

  function comeIn() {
    if (socket.connected || leaving) return;
    if (attempting && Date.now() - attemptAt <= patience) return;
    if (attempting) tryTheOtherWay();
    connectAnew();
  }

  /** Some browsers hang on WebSockets over plain HTTP, all do when too many have failed. */
  function tryTheOtherWay() {
    losePatience();
    pollingFirst = !pollingFirst;
    socket.io.opts.transports = pollingFirst ? ['polling', 'websocket'] : ['websocket', 'polling'];
  }

  function losePatience() {
    patience = Math.min(MOST_PATIENCE_MS, patience * 2);
  }

  function watchConnecting() {
    if (!knocking && Date.now() - knockedAt > RETRY_MS) knock();
  }

  function watchAnswers() {
    if (!isConnected()) return;
    const late = (record) => record.sentAt && Date.now() - record.sentAt > ANSWER_MS;
    const waits = readPending().some((entry) => !entry.expired && late(locals.get(entry.tap) || {}));
    if (!waits && !Array.from(pageEvents.values()).some(late)) return;
    forgetSent();
    connectAnew();
  }

  function wake() {
    if (document.visibilityState !== 'visible' || !socket || leaving) return;
    if (!socket.connected) {
      patience = PATIENCE_MS;
      if (!attempting || Date.now() - attemptAt > FRESH_MS) connectAnew();
      knock();
      return;
    }
    let answered = false;
    const probe = { client_id: window.clientId, next_message_id: window.nextMessageId };
    plainEmit('ack', probe, () => { answered = true; });
    setTimeout(() => { if (!answered && isConnected()) connectAnew(); }, PROBE_MS);
  }

  function askAlive(controller) {
    const timer = setTimeout(() => controller.abort(), patience);
    return fetch(ALIVE_PATH + '?' + Date.now(), { cache: 'no-store', signal: controller.signal })
      .then((response) => response.ok, () => false)
      .finally(() => clearTimeout(timer));
  }

  /** Leave the page only when the server answers, so that nobody meets the browser's own error page. */
  function leaveWhenAlive(go) {
    if (leaving) return;
    leaving = true;
    const attempt = () => askAlive(new AbortController()).then((alive) => {
      if (alive) { go(); return; }
      losePatience();
      setTimeout(attempt, RETRY_MS);
    });
    attempt();
  }

  function reloadWhenAlive() {
    const since = Date.now() - Number(storage.get(RELOAD_KEY) || 0);
    leaveWhenAlive(() => {
      setTimeout(() => {
        storage.set(RELOAD_KEY, String(Date.now()));
        window.location.reload();
      }, since >= 0 && since < 3000 ? 3000 - since : 0); // never a storm of reloads
    });
  }

  function onPush(data) {
    if (!data) return;
    if (typeof data.toast === 'string') toast(data.toast, data.kind);
    if (data.nudge) nudge();
  }

  // --- words ----------------------------------------------------------------------------------------

  const words = document.createElement('div');
  words.id = 'words';
  words.innerHTML =
    '<div id="wire" role="status" aria-live="polite"></div>' +
    '<div id="unsent" role="region" aria-label="Not sent" aria-live="polite"></div>' +
    '<div id="refused" role="alert"></div><div id="say" role="status" aria-live="polite"></div>';
  const region = (id) => words.querySelector('#' + id);

  const LOOK =
    '@layer base {' +
    '#words{position:fixed;inset-inline:12px;bottom:calc(76px + env(safe-area-inset-bottom,0px));z-index:7000;' +
    'display:flex;flex-direction:column;gap:8px;align-items:center;pointer-events:none}' +
    '#words>div{display:flex;flex-direction:column;gap:8px;align-items:center;max-width:100%}' +
    '#words .word{pointer-events:auto;max-width:36rem;padding:12px 16px;border-radius:10px;background:#26303b;' +
    'color:#f5efe4;border:1px solid #55606d;overflow-wrap:anywhere}' +
    '#refused .word,#unsent .word{background:#5a1e17;border-color:#d9694f}' +
    '#unsent button{min-height:48px;min-width:48px;margin-inline-start:12px;color:inherit;text-decoration:underline;' +
    'background:none;border:0;font:inherit;cursor:pointer}' +
    '}';

  /** An open dialog makes everything outside of it inert, so the words move into it. */
  function houseWords() {
    const open = topDialog();
    const house = open || document.body;
    if (words.parentNode !== house) house.appendChild(words);
  }

  function topDialog() {
    const open = Array.from(document.querySelectorAll('dialog[open]')).filter(isVisible);
    return open.length ? open[open.length - 1] : null;
  }

  function toast(text, kind) {
    if (!text) return;
    houseWords();
    const refused = kind === 'refused';
    const place = region(refused ? 'refused' : 'say');
    place.textContent = ''; // the newest is the one to be read; nothing piles up over the page
    const word = document.createElement('div');
    word.className = 'word';
    word.textContent = text;
    const vanish = () => { if (word.parentNode) word.parentNode.removeChild(word); };
    word.addEventListener('click', vanish);
    place.appendChild(word);
    setTimeout(vanish, refused ? REFUSED_MS : SAY_MS);
  }

  function showAnswer(answer, form) {
    if (!answer.say) return;
    const inside = !answer.ok && form && form.isConnected && isVisible(form) && form.querySelector('[data-say]');
    if (!inside) { toast(answer.say, answer.ok ? 'say' : 'refused'); return; }
    if (!inside.hasAttribute('role')) inside.setAttribute('role', 'alert');
    inside.textContent = answer.say;
  }

  const OFFLINE_MS = 1500; // a short drop is nobody's business
  let offlineSince = 0;

  /** Says in words that the table can't be reached, and what waits to be sent. */
  function showWire() {
    const away = Boolean(socket) && !socket.connected;
    if (!away) offlineSince = 0;
    else if (!offlineSince) offlineSince = Date.now();
    const waits = readPending().filter((entry) => !entry.expired && entry.path === here() && ageOf(entry) > OFFLINE_MS);
    const labels = waits.map((entry) => entry.label).join(', ');
    let told = '';
    if (away && Date.now() - offlineSince > OFFLINE_MS) {
      told = labels ? 'No connection. Kept, and sent as soon as it is back: ' + labels : 'No connection to the table. It is being tried again.';
    } else if (labels) {
      told = 'Sending: ' + labels;
    }
    const place = region('wire');
    if (place.textContent === told || document.querySelector('.tv')) return;
    houseWords();
    place.textContent = '';
    if (!told) return;
    const word = document.createElement('div');
    word.className = 'word';
    word.textContent = told;
    place.appendChild(word);
  }

  let shownUnsent = '';

  function showPending() {
    const list = readPending();
    const late = list.some((entry) => !entry.expired && entry.path === here() && ageOf(entry) > 250);
    document.body.classList.toggle('tap-pending', late);
    const unsent = list.filter((entry) => entry.expired);
    const taps = unsent.map((entry) => entry.tap).join();
    if (taps === shownUnsent) return;
    shownUnsent = taps;
    houseWords();
    region('unsent').textContent = '';
    unsent.forEach((entry) => region('unsent').appendChild(unsentWord(entry)));
  }

  function unsentWord(entry) {
    const word = document.createElement('div');
    word.className = 'word';
    const text = document.createElement('span');
    // once it was on its way nobody here can know whether it arrived
    text.textContent = (entry.tried ? 'Perhaps not sent, look at the log: ' : 'Not sent: ') + entry.label;
    const dismiss = document.createElement('button');
    dismiss.type = 'button';
    dismiss.textContent = 'Dismiss';
    dismiss.addEventListener('click', () => {
      writePending(readPending().filter((other) => other.tap !== entry.tap));
      locals.delete(entry.tap);
      showPending();
    });
    word.appendChild(text);
    word.appendChild(dismiss);
    return word;
  }

  let nudgeTimer = 0;

  function nudge() {
    document.body.classList.remove('nudged');
    void document.body.offsetWidth; // starts the animation anew
    document.body.classList.add('nudged');
    clearTimeout(nudgeTimer);
    nudgeTimer = setTimeout(() => document.body.classList.remove('nudged'), 1200);
    buzz([60, 60, 60]);
  }

  // --- taps -----------------------------------------------------------------------------------------

  const ACTIVE = '[data-move]:not(form),[data-open],[data-close],[data-tab]:not(body),[data-step],[data-copy],[data-fill]';

  function labelOf(element) {
    const text = element.getAttribute('data-label') || element.getAttribute('aria-label') || element.textContent || '';
    return text.replace(/\s+/g, ' ').trim().slice(0, 80) || 'tap';
  }

  function ownerForm(element) {
    const isSubmit = element.type === 'submit' && element.form;
    return isSubmit && element.form.hasAttribute('data-move') ? element.form : null;
  }

  function onClick(event) {
    if (event.defaultPrevented || !event.target.closest || asksInstead(event)) return;
    const plain = event.target.closest('button,[role="button"]');
    const element = event.target.closest(ACTIVE) || (plain && plain.hasAttribute('data-why') ? plain : null);
    const submits = plain && ownerForm(plain);
    if (!element && !submits) return;
    const off = [plain, element].filter((it) => it && isOff(it))[0];
    if (off) {
      event.preventDefault();
      toast(off.getAttribute('data-why'), 'refused');
      return;
    }
    if (!element || ownerForm(element)) return; // the form's submit handler sees to it
    if (element.tagName === 'A' || element.type === 'submit') event.preventDefault();
    act(element, event.detail);
  }

  function act(element, clicks) {
    const has = (name) => element.hasAttribute('data-' + name);
    if (has('move')) tapMove(element, clicks);
    else if (has('close')) closeDialog(element.closest('dialog'));
    if (has('open')) openDialog(document.getElementById(element.getAttribute('data-open')));
    if (has('tab')) chooseTab(element.getAttribute('data-tab'));
    if (has('step')) step(element);
    if (has('fill')) fill(element);
    if (has('copy')) copy(element.getAttribute('data-copy'));
  }

  const CHIP_MS = 400; // at most so long a tap waits for what a chip before it changes

  /** A chip that was tapped just before changes what this button sends: wait for it. */
  function afterChips(element, clicks) {
    const waits = () => readPending().some((it) => !it.expired && it.path === here() && it.move.move === 'page.tab');
    const own = parse(element.getAttribute('data-move'), {});
    if (!waits() || !own.move || own.move.indexOf('page.') === 0 || element.hasAttribute('data-repeat')) return false;
    const before = element.getAttribute('data-move');
    const since = Date.now();
    const look = () => {
      const changed = !element.isConnected || element.getAttribute('data-move') !== before;
      if (!changed && isConnected() && Date.now() - since < CHIP_MS) { setTimeout(look, 20); return; }
      if (!element.isConnected) toast('That has just changed: look at it, and tap again.', 'refused');
      else if (isOff(element)) toast(element.getAttribute('data-why'), 'refused');
      else tapMove(element, clicks, true);
    };
    look();
    return true;
  }

  function tapMove(element, clicks, waited) {
    if (!waited && afterChips(element, clicks)) return;
    const move = parse(element.getAttribute('data-move'), null);
    if (!move || (!element.hasAttribute('data-repeat') && isWaiting(move, element)) || !isSure(element, clicks)) return;
    buzz(12);
    const closes = element.hasAttribute('data-close') ? element.closest('dialog') : null;
    send(move, labelOf(element), { element: element, closes: closes });
  }

  const SURE_MS = 8000;

  /** What can't be taken lightly asks in its own place first; a second tap does it. */
  function isSure(element, clicks) {
    if (!element.hasAttribute('data-sure')) return true;
    if (clicks > 1) return false; // a double click is no second thought
    const age = Date.now() - Number(element.getAttribute('data-asked') || 0);
    if (age < SURE_MS) { element.removeAttribute('data-asked'); return true; }
    const asked = String(Date.now());
    element.setAttribute('data-asked', asked);
    element.setAttribute('aria-label', element.getAttribute('data-sure'));
    setTimeout(() => {
      element.removeAttribute('aria-label');
      if (element.getAttribute('data-asked') === asked) element.removeAttribute('data-asked');
    }, SURE_MS);
    return false;
  }

  function openDialog(dialog) {
    if (!dialog || dialog.open) return;
    if (dialog.showModal) dialog.showModal();
    else dialog.setAttribute('open', '');
    houseWords();
  }

  function closeDialog(dialog) {
    if (!dialog) return;
    if (dialog.close) dialog.close();
    else dialog.removeAttribute('open');
    houseWords();
  }

  function step(element) {
    const box = element.closest('[data-stepper]') || element.parentElement;
    const input = box && box.querySelector('input[type="number"]');
    if (!input || input.disabled || input.readOnly) return;
    const bound = (name, otherwise) => (input[name] === '' ? otherwise : Number(input[name]));
    const wanted = (Number(input.value) || 0) + Number(element.getAttribute('data-step'));
    input.value = String(Math.min(bound('max', Infinity), Math.max(bound('min', -Infinity), wanted)));
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  const TURNS = { none: 'full', full: 'half', half: 'none' };

  /** A group gets all of it; tapped again half, and then nothing. */
  function fill(element) {
    const fields = element.getAttribute('data-fill').split(' ').map((id) => element.form.elements['shares.' + id]);
    const there = fields.filter((it) => it);
    if (!there.length) return;
    const alike = there.every((it) => it.value === there[0].value);
    const next = alike ? TURNS[there[0].value] : 'full';
    there.forEach((it) => { it.value = next; });
    tellLive(element.form);
  }

  const LIVE_MS = 150;
  let liveTimer = 0;

  /** What is filled in so far, for a form that shows what would come of it; nothing waits for the answer. */
  function tellLive(form) {
    clearTimeout(liveTimer);
    liveTimer = setTimeout(() => {
      const move = form.isConnected && isConnected() && formMove(form);
      if (!move) return;
      move.move = form.getAttribute('data-live');
      plainEmit('gritboard', { client_id: window.clientId, tap: newTap(), age: 0, move: move }, () => {});
    }, LIVE_MS);
  }

  function onFilledIn(event) {
    const form = event.target.form;
    if (form && form.hasAttribute('data-live')) tellLive(form);
  }

  function copy(text) {
    const done = (ok) => (ok ? toast('Copied.') : toast('Copy it by hand: ' + text, 'refused'));
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(text).then(() => done(true), () => done(copyOldWay(text)));
    } else {
      done(copyOldWay(text));
    }
  }

  function copyOldWay(text) {
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('readonly', '');
    area.style.cssText = 'position:fixed;top:0;opacity:0';
    (topDialog() || document.body).appendChild(area);
    area.select();
    let ok = false;
    try { ok = document.execCommand('copy'); } catch (error) { ok = false; }
    area.parentNode.removeChild(area);
    return ok;
  }

  // --- why: where a number comes from -----------------------------------------------------------------

  const HOLD_MS = 550;
  const SLIP = 10; // pixels that a finger may move while it holds
  let asking = false; // the next tap asks instead of doing
  let holding = null; // {timer, x, y}
  let heldLong = false; // it was asked already: the tap that ends the hold does nothing

  function askable(target) {
    const element = target.closest && target.closest('[data-because],[data-move]:not(form)');
    const of = element && parse(element.getAttribute('data-because') || element.getAttribute('data-move'), null);
    return of ? { element: element, of: of } : null;
  }

  function setAsking(on) {
    asking = on;
    document.body.classList.toggle('asking', on);
    document.querySelectorAll('[data-ask]').forEach((it) => it.setAttribute('aria-pressed', String(on)));
  }

  function ask(found) {
    setAsking(false);
    send({ move: 'page.why', of: found.of }, 'Why?', {}).then((answer) => {
      if (answer.because) showBecause(answer.because);
    });
  }

  function asksInstead(event) {
    const found = askable(event.target);
    const wasHeld = heldLong;
    heldLong = false;
    const toggle = event.target.closest('[data-ask]');
    const isNumber = found && !found.element.hasAttribute('data-move');
    if (!wasHeld && !toggle && !asking && !isNumber) return false;
    event.preventDefault();
    if (wasHeld) return true;
    if (toggle) setAsking(!asking);
    else if (found) ask(found);
    else toast('Tap a number, or a button with a chance: it says where that comes from.');
    return true;
  }

  function onHold(event) {
    letGo();
    heldLong = false;
    const found = event.button === 0 && event.target.closest && !event.target.closest('input,select,textarea') && askable(event.target);
    if (!found) return;
    const timer = setTimeout(() => { holding = null; heldLong = true; buzz(12); ask(found); }, HOLD_MS);
    holding = { timer: timer, x: event.clientX, y: event.clientY };
  }

  function letGo(event) {
    const slips = !event || event.type !== 'pointermove' ||
      Math.hypot(event.clientX - (holding || event).x, event.clientY - (holding || event).y) > SLIP;
    if (!holding || !slips) return;
    clearTimeout(holding.timer);
    holding = null;
  }

  function onContextMenu(event) {
    const found = askable(event.target);
    if (!found) return;
    event.preventDefault(); // a long press on a phone, or the other button of a mouse
    if (event.pointerType === 'mouse' || (!holding && !heldLong)) ask(found);
  }

  let sheet = null;

  function showBecause(told) {
    if (!sheet) {
      sheet = document.createElement('dialog');
      sheet.id = 'because';
      sheet.setAttribute('aria-labelledby', 'because-title');
      sheet.innerHTML = '<h2 id="because-title"></h2><button class="button small close" data-close>Close</button><div></div>';
      document.body.appendChild(sheet);
    }
    sheet.querySelector('h2').textContent = told[0];
    const words = told.slice(1).map((sentence) => {
      const line = document.createElement('p');
      line.textContent = sentence;
      return line;
    });
    sheet.querySelector('div').replaceChildren(...words);
    openDialog(sheet);
  }

  // --- forms ----------------------------------------------------------------------------------------

  function onSubmit(event) {
    const form = event.target;
    if (!form.matches || !form.matches('form[data-move]')) return;
    event.preventDefault();
    const button = event.submitter || form.querySelector('[type="submit"],button:not([type])');
    if (button && isOff(button)) return;
    if (!form.reportValidity()) return;
    const move = formMove(form, event.submitter);
    if (!move) { showAnswer({ ok: false, say: 'A field holds something that cannot be read.' }, form); return; }
    if (isWaiting(move, button)) return;
    const note = form.querySelector('[data-say]');
    if (note) note.textContent = '';
    buzz(12);
    const label = form.getAttribute('data-label') || (button ? labelOf(button) : 'form');
    send(move, label, { element: button, form: form, closes: form.hasAttribute('data-stay') ? null : form.closest('dialog') });
  }

  function formMove(form, submitter) {
    try {
      const move = JSON.parse(form.getAttribute('data-move'));
      Array.from(form.elements).forEach((field) => addField(move, field));
      const more = submitter && submitter.getAttribute('data-move');
      return more ? Object.assign(move, JSON.parse(more)) : move;
    } catch (error) {
      return null;
    }
  }

  function addField(move, field) {
    const silent = ['submit', 'button', 'reset', 'image', 'file', 'fieldset', 'output'];
    const path = field.getAttribute('data-path'); // one of many fields of a form that sends only what was changed
    if (path) {
      if (!field.disabled && isChanged(field)) place(move, ['values', path], optional(field, fieldValue(field, field.value)));
      return;
    }
    if (!field.name || field.disabled || silent.indexOf(field.type) >= 0) return;
    const many = field.name.slice(-2) === '[]';
    const name = (many ? field.name.slice(0, -2) : field.name).split('.');
    if (name.some((part) => part === '__proto__' || part === 'constructor' || part === 'prototype')) return;
    const picked = field.type !== 'radio' && !(many && field.type === 'checkbox') ? true : field.checked;
    if (!many) {
      if (picked) place(move, name, optional(field, fieldValue(field, field.value)));
      return;
    }
    const chosen = field.multiple ? Array.from(field.selectedOptions, (option) => option.value) : [field.value];
    const list = listAt(move, name);
    if (picked) chosen.forEach((value) => list.push(field.type === 'checkbox' ? typed(field, value) : fieldValue(field, value)));
  }

  function isChanged(field) {
    if (field.type === 'checkbox') return field.checked !== field.defaultChecked;
    if (field.tagName === 'SELECT') return Array.from(field.options).some((it) => it.selected !== it.defaultSelected);
    return field.value !== field.defaultValue;
  }

  function optional(field, value) {
    return field.hasAttribute('data-optional') && value === '' ? null : value;
  }

  function fieldValue(field, value) {
    if (field.type === 'checkbox') return field.checked;
    if (field.type === 'select-multiple') return Array.from(field.selectedOptions, (option) => typed(field, option.value));
    return typed(field, value);
  }

  function typed(field, value) {
    const type = field.getAttribute('data-type');
    if (type === 'json') return value === '' ? undefined : JSON.parse(value);
    if (type === 'number' || field.type === 'number' || field.type === 'range') return value === '' ? null : Number(value);
    return value;
  }

  function parentOf(move, path) {
    return path.slice(0, -1).reduce((inside, part) => {
      if (typeof inside[part] !== 'object' || inside[part] === null) inside[part] = {};
      return inside[part];
    }, move);
  }

  function place(move, path, value) {
    parentOf(move, path)[path[path.length - 1]] = value;
  }

  const begunLists = new WeakMap(); // move -> paths whose list was begun by a field, not by data-move

  function listAt(move, path) {
    const begun = begunLists.get(move) || new Set();
    begunLists.set(move, begun);
    const key = path.join('.');
    if (!begun.has(key)) place(move, path, []);
    begun.add(key);
    return parentOf(move, path)[path[path.length - 1]];
  }

  // --- what is typed survives every redraw, and so does the place where somebody is typing -----------------

  const FIELDS = 'input,select,textarea';
  const MOST_TYPED = 100; // forms
  const typedIn = new Map(); // form -> field -> what stands in it
  let writing = null; // {form, field, element, from, to}: where the focus is

  /** The same form again, though all of it is drawn anew. */
  function keyOf(form) {
    const move = parse(form.getAttribute('data-move'), {});
    const whose = ['actor', 'character', 'seat', 'key', 'question', 'of'].map((name) => move[name] || '');
    return [here(), form.getAttribute('data-label'), move.move].concat(whose).join('|');
  }

  function fieldKey(field) {
    const name = field.getAttribute('data-path') || field.name;
    return name.slice(-2) === '[]' && field.type === 'checkbox' ? name + field.value : name;
  }

  function isKept(field) {
    const silent = ['submit', 'button', 'reset', 'image', 'file'];
    return field.form && field.form.hasAttribute('data-move') && fieldKey(field) && silent.indexOf(field.type) < 0;
  }

  function onTyped(event) {
    const field = event.target;
    if (!field.matches || !field.matches(FIELDS) || !isKept(field)) return;
    const key = keyOf(field.form);
    if (!typedIn.has(key) && typedIn.size >= MOST_TYPED) typedIn.delete(typedIn.keys().next().value);
    const held = typedIn.get(key) || new Map();
    held.set(fieldKey(field), { value: field.value, checked: field.checked });
    typedIn.set(key, held);
    onWriting(event);
  }

  function forgetTyped(form) {
    typedIn.delete(keyOf(form));
  }

  function onWriting(event) {
    const field = event.target;
    if (!field.matches || !field.matches(FIELDS) || !isKept(field)) { writing = null; return; }
    let from = null;
    let to = null;
    try { from = field.selectionStart; to = field.selectionEnd; } catch (error) { from = null; }
    writing = { form: keyOf(field.form), field: fieldKey(field), element: field, from: from, to: to };
  }

  function keepTyped(mutations) {
    if (!typedIn.size && !writing) return;
    mutations.forEach((mutation) => mutation.addedNodes.forEach((node) => {
      if (node.nodeType !== 1) return;
      if (node.matches(FIELDS)) putBack(node);
      node.querySelectorAll(FIELDS).forEach(putBack);
    }));
  }

  function putBack(field) {
    if (!isKept(field)) return;
    const form = keyOf(field.form);
    const held = (typedIn.get(form) || new Map()).get(fieldKey(field));
    if (held) setField(field, held);
    const lost = writing && !writing.element.isConnected && writing.form === form && writing.field === fieldKey(field);
    if (!lost || (document.activeElement && document.activeElement !== document.body)) return;
    const from = writing.from;
    const to = writing.to;
    field.focus({ preventScroll: true });
    if (field.type === 'number') toItsEnd(field);
    if (typeof from === 'number' && field.setSelectionRange) {
      try { field.setSelectionRange(from, to); } catch (error) { /* a number has no such place */ }
    }
  }

  /** What is typed goes on where it was; a number tells no place, and is written from its start to its end. */
  function toItsEnd(field) {
    const value = field.value;
    field.value = '';
    field.value = value;
  }

  // --- what stands in a number's field is replaced by what is typed, wherever the focus comes from ----------

  let entered = null; // the field that a click has just come into

  const isNumber = (field) => field.matches && field.matches('input[type="number"]');

  function onEntered(event) {
    entered = isNumber(event.target) ? event.target : null;
    if (entered) entered.select();
  }

  function onEnteredByClick(event) {
    if (entered && entered === event.target) entered.select(); // the click itself has set the place
    entered = null;
  }

  function setField(field, held) {
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = held.checked;
    else if (field.tagName !== 'SELECT') field.value = held.value;
    else if (Array.from(field.options).some((option) => option.value === held.value)) field.value = held.value;
  }

  // --- the ribbon: the step that waits, or what came to one's own, or the last one, is in sight ----------

  const ribbons = new WeakMap(); // element -> what it showed

  function followRibbons() {
    document.querySelectorAll('.ribbon').forEach((ribbon) => {
      const shown = `${ribbon.clientWidth} ${ribbon.scrollWidth} ${ribbon.innerHTML}`; // also when turned, or in another size
      if (ribbons.get(ribbon) === shown) return;
      ribbons.set(ribbon, shown);
      const steps = ribbon.querySelectorAll('.step');
      const step = ribbon.querySelector('.waits') || ribbon.querySelector('.own') || steps[steps.length - 1];
      if (step) ribbon.scrollLeft += middleOf(step) - middleOf(ribbon);
    });
  }

  function middleOf(element) {
    const box = element.getBoundingClientRect();
    return box.left + box.width / 2;
  }

  // --- one dragged onto another: now they are close to each other ---------------------------------------------

  const dragged = (event) => event.target.closest && event.target.closest('[data-drag]');

  function onDragStart(event) {
    const card = dragged(event);
    if (card) event.dataTransfer.setData('text/plain', card.getAttribute('data-drag'));
  }

  function onDrop(event) {
    const onto = dragged(event);
    if (!onto) return;
    event.preventDefault();
    if (event.type !== 'drop') return;
    const who = event.dataTransfer.getData('text/plain');
    const to = onto.getAttribute('data-drag');
    if (who && who !== to) send({ move: 'table.tie', character: who, to: to }, 'Close to each other', { element: onto });
  }

  // --- tabs -----------------------------------------------------------------------------------------

  function chooseTab(name) {
    if (document.body.dataset.tab !== name) window.scrollTo(0, 0);
    storage.set(TAB_KEY + here(), name);
    showTab(name);
  }

  // A tab says what goes on: when that begins the page turns to it, and away from it when it is over.
  function followTabs(tabs) {
    tabs.forEach((tab) => {
      const name = tab.getAttribute('data-tab');
      const now = tab.getAttribute('data-now');
      const key = NOW_KEY + here() + ':' + name;
      if (!now || now === (storage.get(key) || 'off')) return;
      storage.set(key, now);
      if (now === 'on') chooseTab(name);
      else if (document.body.dataset.tab === name) chooseTab(tabs[0].getAttribute('data-tab'));
    });
  }

  let called = '';

  // What a tab calls for stands first on its page: whoever has scrolled down there is brought to it.
  function followCall() {
    const tab = document.querySelector('[data-calls]');
    const now = tab ? tab.getAttribute('data-calls') : '';
    if (now === called) return;
    called = now;
    const isThere = now && document.body.dataset.tab === tab.getAttribute('data-tab');
    if (now === 'down' || isThere) window.scrollTo(0, 0); // a hero's last rounds stand above every page
  }

  function showTab(name) {
    if (document.body.dataset.tab !== name) document.body.dataset.tab = name;
    document.querySelectorAll('[data-tab]').forEach((tab) => {
      if (tab === document.body) return;
      const state = tab.getAttribute('role') === 'tab' ? 'aria-selected' : 'aria-pressed';
      const value = String(tab.getAttribute('data-tab') === name);
      if (tab.getAttribute(state) !== value) tab.setAttribute(state, value);
    });
    tellShown();
  }

  let told = ''; // which panel of which page the table knows to be shown
  let tellingAt = 0;

  /** The table draws only what somebody looks at; it is told until it has answered. */
  function tellShown() {
    const shown = document.querySelector('[data-panel]') ? document.body.dataset.tab : '';
    const now = window.clientId + here() + ' ' + shown;
    if (!shown || !isConnected() || told === now || Date.now() - tellingAt < RETRY_MS) return;
    tellingAt = Date.now();
    const move = { move: 'page.shows', panel: shown };
    const message = { client_id: window.clientId, tap: newTap(), age: 0, move: move };
    plainEmit('gritboard', message, (answer) => {
      if (!answer || !answer.ok) return;
      told = now;
      tellingAt = 0;
      tellShown();
    });
  }

  function restoreTab() {
    const tabs = Array.from(document.querySelectorAll('[data-tab]')).filter((tab) => tab !== document.body);
    const kept = storage.get(TAB_KEY + here());
    if (!tabs.length) { // not built yet, or a page without tabs
      if (kept === null) delete document.body.dataset.tab;
      else document.body.dataset.tab = kept;
      return;
    }
    const names = tabs.map((tab) => tab.getAttribute('data-tab'));
    const marked = tabs.filter((tab) => tab.getAttribute('aria-selected') === 'true' || tab.getAttribute('aria-pressed') === 'true')[0];
    if (kept !== null && names.indexOf(kept) >= 0) showTab(kept);
    else showTab(marked ? marked.getAttribute('data-tab') : names[0]);
    followTabs(tabs);
    followCall();
  }

  // --- keys -----------------------------------------------------------------------------------------

  let movedByKeyboard = false; // how the focus came where it is
  let swallowed = false; // Space was taken as a key of ours

  function onKey(event) {
    if (event.key === 'Tab') movedByKeyboard = true;
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape' && asking) setAsking(false);
    const active = document.activeElement;
    const focused = active && isVisible(active) ? active : document.body; // a field of a closed dialog keeps it for a frame
    if (focused && (focused.isContentEditable || focused.matches('input,textarea,select'))) return;
    const onButton = focused && focused !== document.body && focused.matches('button,a,summary,[role="button"],[role="tab"]');
    if (onButton && movedByKeyboard && (event.key === ' ' || event.key === 'Enter')) return;
    const asked = movedByKeyboard && focused && focused !== document.body && askable(focused);
    const presses = event.key === 'w' || (!onButton && (event.key === ' ' || event.key === 'Enter'));
    if (asked && presses && !topDialog()) { event.preventDefault(); ask(asked); return; }
    const key = event.key === ' ' ? (event.shiftKey ? '' : 'space') : event.shiftKey ? event.key : event.key.toLowerCase();
    const scope = topDialog() || document;
    const target = Array.from(scope.querySelectorAll('[data-key]')).filter((it) => it.getAttribute('data-key') === key && (isVisible(it) || it.matches('.tools .seldom')))[0];
    if (!target) return;
    event.preventDefault();
    if (onButton && focused !== target && !movedByKeyboard) focused.blur();
    swallowed = key === 'space';
    target.click();
  }

  /** Keep Space from also pressing the button that a mouse click left focused. */
  function onKeyUp(event) {
    if (event.key !== ' ' || !swallowed) return;
    swallowed = false;
    event.preventDefault();
  }

  // --- staying awake --------------------------------------------------------------------------------

  let lock = null;
  let lockWanted = false;

  function stayAwake() {
    if (!lockWanted || lock || !navigator.wakeLock || document.visibilityState !== 'visible') return;
    navigator.wakeLock.request('screen').then((given) => {
      lock = given;
      given.addEventListener('release', () => { lock = null; });
    }, () => {});
  }

  // --- start ----------------------------------------------------------------------------------------

  let lastPath = here();

  function tick() {
    expire();
    watchConnecting();
    watchAnswers();
    showPending();
    showWire();
    tellShown();
    document.body.classList.toggle('offline', Boolean(socket) && !socket.connected);
    if (lastPath !== here()) {
      lastPath = here();
      restoreTab();
      flush();
    }
  }

  function start() {
    const look = document.createElement('style');
    look.textContent = LOOK;
    document.head.appendChild(look);
    houseWords();
    restoreTab();
    followRibbons();
    window.addEventListener('resize', followRibbons);
    if (document.fonts) document.fonts.ready.then(followRibbons);
    let waits = false;
    new MutationObserver((mutations) => {
      keepTyped(mutations);
      if (waits) return;
      waits = true;
      setTimeout(() => {
        waits = false;
        restoreTab();
        followRibbons();
        if (!words.isConnected) houseWords();
      }, 30);
    }).observe(document.getElementById('app') || document.body, { childList: true, subtree: true });
    setInterval(tick, TICK_MS);
    takeOver();
  }

  document.addEventListener('click', onClick);
  document.addEventListener('submit', onSubmit);
  ['input', 'change'].forEach((name) => document.addEventListener(name, onTyped));
  ['focusin', 'keyup', 'pointerup'].forEach((name) => document.addEventListener(name, onWriting));
  document.addEventListener('focusin', onEntered);
  document.addEventListener('click', onEnteredByClick, true);
  document.addEventListener('input', onFilledIn);
  document.addEventListener('contextmenu', onContextMenu);
  document.addEventListener('pointerdown', onHold);
  ['pointermove', 'pointerup', 'pointercancel'].forEach((name) => document.addEventListener(name, letGo));
  document.addEventListener('scroll', () => letGo(), true);
  document.addEventListener('dragstart', onDragStart);
  document.addEventListener('dragover', onDrop);
  document.addEventListener('drop', onDrop);
  document.addEventListener('keydown', onKey);
  document.addEventListener('keyup', onKeyUp);
  document.addEventListener('close', houseWords, true);
  document.addEventListener('pointerdown', () => {
    movedByKeyboard = false;
    lockWanted = true;
    stayAwake();
  }, true);
  document.addEventListener('visibilitychange', () => { wake(); stayAwake(); });
  document.addEventListener('resume', wake);
  ['online', 'pageshow', 'focus'].forEach((name) => window.addEventListener(name, wake));

  window.gritboard = { send: send, toast: toast, nudge: nudge };

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
