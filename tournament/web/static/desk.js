// The desk: whatever a scanner types or the camera sees is a scan, without a click. The server decides; while it gives no
// answer the desk decides itself, writes down whom it let in before it says so, and tells the server later.
"use strict";
(() => {
  const place = document.getElementById("scanning");
  if (!place) return;
  const { address, event: eventId, zone } = place.dataset;
  const answerBox = document.getElementById("answer");
  const form = document.getElementById("scan-form");
  const field = document.getElementById("scan-text");
  const stateBox = document.getElementById("desk-state");
  const PATIENCE_MS = 4000; // that the server has for an answer, before the desk decides itself
  const AGAIN_MS = 5000; // until a server that was gone is asked again
  const FRESH_MS = 120000; // after so long the desk asks what is new
  const SAME_MS = 2500; // a code that stays before the camera, or a trigger that bounces, is one scan
  const AT_ONCE = 300; // scans that the server takes in one call
  const OFF_S = 5; // a clock that is wrong by more is put right by the server's
  const device = () => Math.floor(Date.now() / 1000);
  const now = () => device() + (known?.behind ?? 0);

  // --- words: of the page, so that they are in its language

  const words = document.getElementById("desk-words");
  const say = (key, ...values) => {
    const text = words.querySelector(`[data-word="${key}"] dd`)?.textContent ?? key;
    return text.replace("#", values[0] ?? "").replace("@", values[1] ?? "");
  };
  const clock = (at) => {
    const said = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    if (Math.abs(at - now()) > 43200) Object.assign(said, { day: "numeric", month: "short" });
    return new Intl.DateTimeFormat(document.documentElement.lang, { ...said, timeZone: zone }).format(at * 1000);
  };
  const TIMES = new Set(["early", "over", "old-key", "was-used", "other-pass"]);
  const reasonOf = ([key, value, where]) => say(key, TIMES.has(key) ? clock(value) : value, where || say("here"));

  // --- what somebody chose here; a browser may keep nothing, or have no room

  const chosen = (what) => { try { return localStorage.getItem(`deckproof-desk-${what}`); } catch { return null; } };
  const choose = (what, is) => { try { localStorage.setItem(`deckproof-desk-${what}`, is ? "on" : "off"); } catch { /* until the page is left */ } };

  // --- what is kept in this browser: the desk's own key, what it knows, whom it let in

  const opened = new Promise((resolve, reject) => {
    const asked = indexedDB.open(`deckproof-desk-${eventId}`, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("kept");
      asked.result.createObjectStore("scans", { keyPath: "counter" }).createIndex("tag", "playerTag");
      asked.result.createObjectStore("aside", { keyPath: "id", autoIncrement: true });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  opened.catch(() => {}); // told to whoever wants to keep something

  // Runs `act` in one transaction, and gives its result when that is on the disk.
  async function kept(stores, act) {
    const database = await opened;
    return new Promise((resolve, reject) => {
      const going = database.transaction(stores, "readwrite", { durability: "strict" });
      let result;
      going.oncomplete = () => resolve(result);
      going.onabort = going.onerror = () => reject(going.error);
      act((name) => going.objectStore(name), (value) => { result = value; });
    });
  }
  const get = (key) => kept(["kept"], (store, give) => {
    store("kept").get(key).onsuccess = (done) => give(done.target.result);
  });
  const put = (key, value) => kept(["kept"], (store) => { store("kept").put(value, key); });
  const all = (name) => kept([name], (store, give) => {
    store(name).getAll().onsuccess = (done) => give(done.target.result);
  });

  // --- the desk

  let check, curve; // the two files that judge a pass, loaded when the page is there
  let secret, known, synced = 0, isEnrolled = false, unsent = 0, aloneUntil = 0, pausedUntil = 0, refreshedAt = 0;
  let isOut = false, refusal = ""; // the server knows this browser no more; or it refuses what it is told
  const used = new Map(); // by player tag: serial, time, where

  const isAlone = () => Date.now() < aloneUntil;
  const isReady = () => Boolean(known && secret && check);
  const own = () => check.addressOf(curve.getPublicKey(secret, false));

  // What it takes to go on alone comes after the page, or with the first scan.
  let beginning = null;
  const began = () => (beginning ??= begin().catch((error) => {
    console.warn(error);
    beginning = null; // a file that did not come is asked for again with the next scan
  }).finally(showState));

  async function begin() {
    [check, curve] = await Promise.all([import(place.dataset.check), import(place.dataset.curve)]);
    secret = await get("secret");
    if (!secret) {
      await kept(["kept"], (store, give) => { // whichever window comes first makes the key
        store("kept").get("secret").onsuccess = (done) => {
          const made = done.target.result ?? curve.utils.randomSecretKey();
          store("kept").put(made, "secret");
          give(made);
        };
      }).then((made) => { secret = made; });
    }
    known = await get("known");
    isEnrolled = Boolean(await get("enrolled"));
    await recount();
    await refresh();
    await flush();
  }

  async function recount() {
    const scans = await all("scans");
    synced = (await get("synced")) ?? 0;
    unsent = scans.filter((scan) => scan.counter > synced).length;
    used.clear();
    for (const [tag, [serial, at, where]] of Object.entries(known?.used ?? {})) used.set(tag, { serial, at, where });
    for (const scan of scans) used.set(scan.playerTag.slice(2), { serial: scan.serial, at: scan.scannedAt, where: "" });
    showState();
  }

  // --- the server

  class Gone extends Error {}

  async function ask(path, options = {}) {
    let answer;
    try {
      answer = await fetch(path, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE_MS), ...options });
    } catch (error) {
      throw new Gone(error.message);
    }
    if (answer.status >= 500) throw new Gone(String(answer.status));
    isOut = answer.status === 401 || answer.status === 403 || answer.redirected;
    return answer;
  }
  const send = (path, body) => ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": key() },
    body: JSON.stringify(body),
  });
  const key = () => check.hex(crypto.getRandomValues(new Uint8Array(16)));
  const gone = () => { aloneUntil = Date.now() + AGAIN_MS; };

  async function refresh() {
    try {
      if (!isEnrolled) {
        const mark = own().slice(2, 6).toUpperCase();
        let answer = await send(`/events/${eventId}/passes/desks`, { address: own(), name: say("desk", mark) });
        if (answer.status === 409) {
          answer = await send(`/events/${eventId}/passes/desks`, { address: own(), name: say("desk", own().slice(2, 12)) });
        }
        if (!answer.ok) return;
        await put("enrolled", true);
        isEnrolled = true;
      }
      const answer = await ask(`${address}/desk/known`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const given = await answer.json();
      refreshedAt = Date.now();
      if (known && known.asOf > given.asOf) return; // a clock went back; what is known of revocations only grows
      const behind = given.asOf - device();
      known = { ...given, behind: Math.abs(behind) > OFF_S ? behind : 0 };
      await put("known", known);
      await recount();
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      gone();
    }
  }

  // Tells the server whom this desk let in; false where it gives no answer. Said again, it is the same.
  let flushing = null;
  const flush = () => (flushing ??= tellAll().finally(() => { flushing = null; }));

  async function tellAll() {
    if (!isReady()) return false;
    try {
      while (unsent) {
        const waiting = (await all("scans")).filter((scan) => scan.counter > synced).slice(0, AT_ONCE);
        if (!waiting.length) break;
        const answer = await send(`/events/${eventId}/passes/scans/sync`, { scans: waiting });
        refusal = answer.ok || isOut ? "" : (await answer.json().catch(() => ({}))).detail ?? String(answer.status);
        if (!answer.ok) {
          pausedUntil = Date.now() + AGAIN_MS;
          return false;
        }
        await put("synced", waiting.at(-1).counter);
        await recount();
      }
      aloneUntil = 0;
      return true;
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      gone();
      return false;
    } finally {
      showState();
    }
  }

  // --- a scan

  let line = Promise.resolve(), last = { text: "", at: 0 }, waiting = 0;

  function heard(text) {
    const beginning = text.slice(0, 300); // a bound pass is signed anew every few seconds, and stays the same pass
    const isSame = beginning === last.text && Date.now() - last.at < SAME_MS;
    last = { text: beginning, at: Date.now() };
    if (isSame) return;
    waiting += 1;
    place.setAttribute("aria-busy", "true");
    line = line.then(() => decide(text)).catch((error) => console.warn(error)).finally(() => {
      waiting -= 1;
      if (!waiting) place.removeAttribute("aria-busy");
    });
  }

  async function decide(text) {
    await began();
    if (!isAlone() && (!unsent || (await flush()))) {
      try {
        if (await decidedThere(text)) return;
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        gone();
      }
    }
    await decideHere(text);
    showState();
  }

  async function decidedThere(text) {
    const sent = new URLSearchParams({ text, key: key(), part: "answer", ...(isEnrolled ? { desk: own() } : {}) });
    const answer = await ask(`${address}/desk/scan`, { method: "POST", body: sent, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const came = page.querySelector(".came");
    if (came) {
      const { serial, at } = came.dataset, shown = serial && check.read(text);
      if (shown) used.set(shown.pass.playerTag, { serial: Number(serial), at: Number(at), where: "" });
      show(came);
      return true;
    }
    if (isOut) {
      if (!isReady()) show(shape("signed-out", []));
      return !isReady();
    }
    show(shape("refused", [page.querySelector(".refused .lead, main h1, main .lead")?.textContent ?? String(answer.status)]));
    return true;
  }

  async function decideHere(text) {
    if (!isReady()) return show(shape("away", []));
    const found = await check.check(text, known, used, now(), curve);
    const [number, name] = found.guest ?? [];
    let { case: kind, words: why } = found;
    if (found.isIn) {
      const before = await admit(found.shown);
      if (before) [kind, why] = ["used", [["was-used", before.scannedAt, ""]]];
    }
    const lines = why.map(reasonOf);
    if (found.isIn && kind !== "used") {
      if (!found.shown.isBound) lines.push(say("document"));
      lines.push(say("pass", found.shown.pass.serial));
    }
    show(shape(kind, lines, number, name));
  }

  // Writes down that a player came in; gives the scan of before, if another window of this desk was quicker.
  async function admit(shown) {
    const tag = "0x" + shown.pass.playerTag, at = now();
    const before = await kept(["scans"], (store, give) => {
      const scans = store("scans");
      scans.index("tag").get(tag).onsuccess = (done) => {
        if (done.target.result) return give(done.target.result);
        scans.openCursor(null, "prev").onsuccess = (found) => {
          scans.add(check.scanOf(shown, known, secret, at, found.target.result?.value ?? null, curve));
        };
      };
    });
    used.set(shown.pass.playerTag, { serial: shown.pass.serial, at, where: "" });
    if (!before) unsent += 1;
    return before;
  }

  // --- what is seen and heard of it

  function shape(kind, lines, number, name) {
    const came = document.getElementById("came-shape").content.firstElementChild.cloneNode(true);
    const said = words.querySelector(`[data-case="${kind}"]`), light = said.dataset.light;
    came.classList.add(light);
    Object.assign(came.dataset, { case: kind, light, entry: number ?? "" });
    came.querySelector("use").setAttribute("href", `${place.dataset.icons}#${light}`);
    came.querySelector(".came-word").textContent = said.querySelector("dt").textContent;
    if (name) {
      const bdi = Object.assign(document.createElement("bdi"), { className: "name", textContent: name });
      const small = Object.assign(document.createElement("small"), { textContent: say("number", number) });
      came.querySelector(".came-whom").append(bdi, " ", small);
      const more = came.querySelector(".came-more"), link = more.querySelector("a");
      link.href = `${address}/desk/players/${number}`;
      link.textContent = say("open");
      more.hidden = false;
    }
    const advice = said.querySelector("dd").textContent;
    for (const text of [...lines, ...(advice ? [advice] : [])]) {
      came.querySelector(".came-next").append(Object.assign(document.createElement("li"), { textContent: text }));
    }
    return came;
  }

  function show(came) {
    came.classList.add("came-fresh");
    answerBox.replaceChildren(came);
    const { top, bottom } = answerBox.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) place.scrollIntoView(); // on a phone the answer may stand below what is seen
    const { light, case: kind, entry } = came.dataset;
    beep(light);
    if (light === "green") takeFromAside(entry).catch((error) => console.warn(error));
    else if (!["version", "away", "signed-out", "refused"].includes(kind)) {
      setAside({
        light, entry, kind, at: now(), word: came.querySelector(".came-word").textContent,
        name: came.querySelector(".came-whom .name")?.textContent ?? "",
        why: came.querySelector(".came-next li")?.textContent ?? "",
      });
    }
  }

  const NOTES = { green: [[880, 0, 0.09], [1320, 0.09, 0.12]], amber: [[600, 0, 0.14], [600, 0.2, 0.14]], red: [[200, 0, 0.45]] };
  let audio, isLoud = chosen("sound") !== "off";

  function beep(light) {
    if (!isLoud || !globalThis.AudioContext) return;
    audio ??= new AudioContext();
    audio.resume?.().catch(() => {});
    for (const [pitch, after, lasts] of NOTES[light] ?? []) {
      const tone = audio.createOscillator(), level = audio.createGain(), begins = audio.currentTime + after;
      tone.frequency.value = pitch;
      tone.type = light === "red" ? "square" : "sine";
      level.gain.setValueAtTime(light === "red" ? 0.12 : 0.25, begins);
      level.gain.exponentialRampToValueAtTime(0.001, begins + lasts);
      tone.connect(level).connect(audio.destination);
      tone.start(begins);
      tone.stop(begins + lasts);
    }
  }

  const soundSwitch = document.getElementById("sound-switch");
  soundSwitch.ariaPressed = String(isLoud);
  soundSwitch.addEventListener("click", () => {
    isLoud = !isLoud;
    choose("sound", isLoud);
    soundSwitch.ariaPressed = String(isLoud);
    beep("green");
  });

  function showState() {
    const parts = isEnrolled && isReady() ? [say("desk", own().slice(2, 6).toUpperCase())] : [];
    if (isAlone()) parts.push(say("alone"));
    else if (isOut) parts.push(...[...words.querySelectorAll("[data-case=signed-out] > *")].map((one) => one.textContent));
    else if (refusal) parts.push(refusal);
    else parts.push(isReady() ? say("ready") : say("not-ready"));
    if (unsent) parts.push(say("unsent", unsent));
    if (isReady()) parts.push(say("as-of", clock(known.asOf)));
    stateBox.textContent = parts.join(" · ");
    stateBox.classList.toggle("desk-alone", isAlone() || isOut || unsent > 0);
    document.getElementById("sign-in-again").hidden = !isOut;
    stateBox.dataset.unsent = unsent;
    stateBox.dataset.ready = isReady() && isEnrolled ? "yes" : "no";
  }

  // --- set aside: what was amber or red here, until somebody says that it is done

  const setAside = (what) => putAside(what).catch((error) => console.warn(error)); // a browser that keeps nothing lets players in, too
  async function putAside(what) {
    await kept(["aside"], (store) => {
      if (what.entry) {
        store("aside").openCursor().onsuccess = (found) => { // one line for each player, the newest
          const cursor = found.target.result;
          if (!cursor) return store("aside").add(what);
          if (cursor.value.entry === what.entry) cursor.delete();
          cursor.continue();
        };
      } else store("aside").add(what);
    });
    await showAside();
  }

  async function takeFromAside(entry) {
    if (!entry) return;
    for (const one of await all("aside")) if (one.entry === entry) await forget(one.id);
    await showAside();
  }
  const forget = (id) => kept(["aside"], (store) => { store("aside").delete(id); });

  async function showAside() {
    const those = await all("aside"), list = document.getElementById("aside");
    document.getElementById("aside-box").hidden = !those.length;
    document.getElementById("aside-count").textContent = those.length;
    list.replaceChildren(...those.reverse().map((one) => {
      const item = document.createElement("li"), body = document.createElement("div"), head = document.createElement("p");
      head.className = "lead";
      head.append(`${clock(one.at)} · ${one.word}`);
      if (one.name) {
        const link = Object.assign(document.createElement("a"), { href: `${address}/desk/players/${one.entry}` });
        link.append(Object.assign(document.createElement("bdi"), { className: "name", textContent: one.name }));
        head.append(" · ", link);
      }
      const done = Object.assign(document.createElement("button"), { type: "button", className: "button desk-outline", textContent: say("done") });
      done.setAttribute("aria-label", `${say("done")}: ${one.name || one.word}`);
      done.addEventListener("click", async () => { await forget(one.id); await showAside(); });
      body.append(head, Object.assign(document.createElement("p"), { textContent: one.why }));
      const icon = document.getElementById("came-shape").content.querySelector("svg").cloneNode(true);
      icon.querySelector("use").setAttribute("href", `${place.dataset.icons}#${one.light}`);
      icon.classList.add(one.light);
      item.append(icon, body, done);
      return item;
    }));
  }

  // --- a scanner that types, wherever the focus is: a pass is known by its letters, any other code by its haste

  const PASS = /^[0-9A-Z $%*+\-./:]+$/, LENGTHS = [467, 359, 311]; // letters; see docs/guide/passes.md
  const QUICK_MS = 100, PATIENT_MS = 500; // between two letters, in a field and elsewhere
  const SHORTEST = 8, SHORTEST_IN_FIELD = 24; // letters of another code; a person may type a few as quickly
  let keys = [], at = null, pressed = null;

  const takesText = (element) => element?.matches?.("input:not([type=checkbox], [type=radio]), textarea, select") ?? false;

  // How many of the last letters a scanner typed; 0 if a person did.
  function scanned() {
    const text = keys.map((one) => one.key).join("");
    const long = LENGTHS.find((length) => text.length >= length && PASS.test(text.slice(-length)));
    const isField = takesText(at), most = isField ? QUICK_MS : PATIENT_MS;
    let quick = 0;
    while (quick < keys.length && (!quick || keys.at(-quick).time - keys.at(-quick - 1).time < most)) quick += 1;
    const isCode = quick >= (isField ? SHORTEST_IN_FIELD : SHORTEST);
    return isCode ? Math.max(quick, long ?? 0) : long ?? 0;
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = document.activeElement;
    if (target !== at) [keys, at] = [[], target];
    if (event.key === "Enter") {
      const number = scanned(), typed = keys.slice(keys.length - number);
      keys = [];
      if (!number) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (takesText(target)) target.value = typed[0].before; // what a person had typed there
      heard(typed.map((one) => one.key).join(""));
    } else if (event.key.length === 1) {
      keys.push({ key: event.key, time: event.timeStamp, before: takesText(target) ? target.value : "" });
      if (keys.length > LENGTHS[0]) keys.shift();
      if (event.key !== " " || takesText(target)) return;
      event.preventDefault(); // the blank may be a letter of a pass: it scrolls and presses nothing, unless it stays alone
      if (keys.length > 1 || !target?.matches?.("button, summary")) return;
      clearTimeout(pressed);
      pressed = setTimeout(() => {
        if (keys.length !== 1 || target !== document.activeElement) return;
        keys = [];
        target.click();
      }, QUICK_MS);
    } else if (event.key !== "Shift") keys = [];
  }, true);
  addEventListener("keyup", (event) => {
    if (event.key === " " && document.activeElement?.matches?.("button, summary")) event.preventDefault();
  }, true);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value) heard(field.value);
    field.value = "";
  });

  // --- the camera

  const cameraSwitch = document.getElementById("camera-switch");
  const box = document.getElementById("video");
  let camera, isSeeing = false;

  async function see(wanted) {
    cameraSwitch.ariaPressed = String(wanted);
    isSeeing = wanted;
    choose("camera", wanted);
    box.hidden = !wanted;
    document.getElementById("denied").hidden = true;
    if (!wanted) return camera?.stop();
    try {
      const { default: QrScanner } = await import(place.dataset.camera);
      camera ??= new QrScanner(document.getElementById("camera"), (found) => heard(found.data), {
        returnDetailedScanResult: true, maxScansPerSecond: 12, preferredCamera: "environment",
        calculateScanRegion: (video) => { // a pass has up to 69 modules, so all that fits into a square is looked at
          const side = Math.min(video.videoWidth, video.videoHeight), small = Math.min(side, 800);
          const [x, y] = [(video.videoWidth - side) / 2, (video.videoHeight - side) / 2];
          return { x, y, width: side, height: side, downScaledWidth: small, downScaledHeight: small };
        },
      });
      await camera.start();
      await navigator.wakeLock?.request("screen").catch(() => {});
    } catch {
      if (!isSeeing) return;
      box.hidden = true;
      cameraSwitch.ariaPressed = "false";
      document.getElementById("denied").hidden = false;
    }
  }

  document.getElementById("tools").hidden = false;
  const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia);
  cameraSwitch.hidden = !hasCamera;
  document.getElementById("no-camera").hidden = hasCamera;
  cameraSwitch.addEventListener("click", () => see(cameraSwitch.ariaPressed !== "true"));
  if (hasCamera && chosen("camera") === "on") see(true);

  // --- what goes on by itself

  const isAlonePage = !document.getElementById("live");
  setInterval(async () => {
    if (!isReady() || isAlone() || waiting || Date.now() < pausedUntil) return;
    if (unsent || isAlonePage) {
      const isTold = (await flush()) && Date.now() - last.at > AGAIN_MS;
      if (isTold && isAlonePage && (await ask(`${address}/desk/known`).then((answer) => answer.ok, () => (gone(), false)))) {
        location.replace(`${address}/desk`);
      }
    }
    if (Date.now() - refreshedAt > FRESH_MS) await refresh();
    showState();
  }, 1000);
  addEventListener("online", () => { aloneUntil = 0; });

  // A page that is signed out is led away elsewhere; here a queue waits, so this one stays, and says so.
  document.addEventListener("htmx:before:response", (event) => {
    if (![401, 403].includes(event.detail.ctx.response.status)) return;
    event.preventDefault();
    isOut = true;
    showState();
  });

  showAside().catch((error) => console.warn(error));
  showState();

  // --- the page itself, for when the server is gone: only where browsers allow it, with https or on this machine

  const settled = new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    else addEventListener("load", () => setTimeout(resolve, 200));
  }).then(began);

  if ("serviceWorker" in navigator && isSecureContext) {
    settled.then(() => navigator.serviceWorker.register(`${address}/desk/worker.js`, { scope: `${address}/desk` })).then(async () => {
      const loaded = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")];
      const files = loaded.map((one) => one.href || one.src);
      const { check: judge, curve: numbers, camera: eye, icons } = place.dataset;
      const worker = eye.replace("qr-scanner.min", "qr-scanner-worker.min");
      const active = (await navigator.serviceWorker.ready).active;
      if (!isAlonePage) active.postMessage({ keep: [`${address}/desk/alone`, ...files, judge, numbers, eye, worker, icons] });
    }).catch((error) => console.warn(error));
  }
})();
