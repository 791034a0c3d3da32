// The projector: slides turn by themselves. Each is asked for when its turn comes, so it is never older than that; those
// that were seen are kept, and shown again while the server is away. Space holds, arrows turn, F is full screen.
"use strict";
(() => {
  const QUIET = 4000, PATIENCE = 8000;
  const gone = document.getElementById("gone"), news = document.getElementById("news");
  const pause = document.querySelector("[data-pause]"), full = document.querySelector("[data-full]");
  const screen = () => document.getElementById("screen");
  const kept = new Map(); // slides by their number
  let turning, held = false, source, version, failures = 0, quiet, asked = 0;

  const slides = () => Number(screen().dataset.slides);
  const number = () => Number(screen().dataset.slide);
  const seconds = () => Number(screen().dataset.seconds);

  function put(slide) {
    const fresh = slide.cloneNode(true);
    screen().replaceWith(fresh);
    const back = document.querySelector('[data-step="-1"]'), on = document.querySelector('[data-step="1"]');
    back.href = address(wrapped(number() - 1));
    on.href = address(wrapped(number() + 1));
    dispatchEvent(new Event("tick"));
    later();
  }

  const wrapped = (slide) => (slide < 1 ? slides() : slide > slides() ? 1 : slide);
  const address = (slide) => screen().dataset.at.replace("slide=N", `slide=${slide}`);

  async function show(slide) {
    clearTimeout(turning);
    const turn = ++asked;
    try {
      const answer = await fetch(address(slide), { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("screen");
      if (!answer.ok || !page) throw new Error("nothing to show");
      if (turn !== asked) return;
      kept.set(slide, page);
      for (const old of kept.keys()) if (old > Number(page.dataset.slides)) kept.delete(old);
      gone.hidden = true;
      put(page);
    } catch {
      if (turn !== asked) return;
      gone.hidden = false;
      if (kept.has(slide)) put(kept.get(slide));
      else {
        const next = [...kept.keys()].sort((a, b) => a - b).find((one) => one > number()) ?? Math.min(...kept.keys());
        if (kept.has(next)) put(kept.get(next));
        else later();
      }
    }
  }

  function later() {
    clearTimeout(turning);
    if (!held) turning = setTimeout(() => show(wrapped(number() + 1)), seconds() * 1000);
  }

  function hold(is) {
    held = is;
    pause.setAttribute("aria-pressed", String(held));
    [pause.textContent, pause.dataset.go] = [pause.dataset.go, pause.textContent];
    document.body.classList.toggle("held", held);
    later();
  }

  // --- live: whatever is new is on the wall with the next slide; a new round at once
  function heard(event) {
    const said = JSON.parse(event.data);
    version = said.version;
    if (!said.topics.includes("round.published")) {
      if (slides() === 1 || held || said.topics.includes("clock") || said.topics.includes("round")) show(number());
      return;
    }
    kept.clear();
    news.textContent = news.dataset.published.replace("#", said.round ?? "");
    news.hidden = false;
    setTimeout(() => { news.hidden = true; }, 20000);
    show(1);
  }

  function listen() {
    version ??= screen().dataset.version;
    source = new EventSource(`${screen().dataset.stream}?after=${version}`);
    source.onmessage = heard;
    source.onopen = () => {
      if (failures) show(number());
      failures = 0;
    };
    source.onerror = () => {
      failures += 1;
      if (failures > 1) gone.hidden = false; // one error is a stream that ended as it should
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, Math.min(30, 2 ** failures) * 1000);
    };
  }

  // --- hands: shown while somebody moves something
  function awake() {
    document.body.classList.add("awake");
    clearTimeout(quiet);
    quiet = setTimeout(() => document.body.classList.remove("awake"), QUIET);
  }

  const step = (by) => show(wrapped(number() + by));
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());

  addEventListener("keydown", (event) => {
    awake();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const does = { " ": () => hold(!held), ArrowRight: () => step(1), ArrowLeft: () => step(-1), f: fill, F: fill }[event.key];
    if (!does || (event.key === " " && event.target.closest("a, button"))) return;
    event.preventDefault();
    does();
  });
  for (const link of document.querySelectorAll("[data-step]")) {
    link.addEventListener("click", (event) => { event.preventDefault(); step(Number(link.dataset.step)); });
  }
  pause.hidden = false;
  pause.addEventListener("click", () => hold(!held));
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", fill);
  addEventListener("pointermove", awake);
  addEventListener("pointerdown", awake);
  document.body.classList.add("scripted");
  awake();

  // --- the screen of the computer stays on, where that can be asked for (https, or the machine itself)
  async function stay() {
    if (document.visibilityState !== "visible") return;
    try { await navigator.wakeLock?.request("screen"); } catch { /* it may be refused, as on a battery that is low */ }
  }
  document.addEventListener("visibilitychange", stay);

  addEventListener("pagehide", () => source?.close());
  kept.set(number(), screen().cloneNode(true));
  stay();
  listen();
  later();
})();
