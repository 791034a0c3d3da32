// A player's table, where there is no connection: a report is kept in this browser under its key, sent again until an
// answer is there, and dropped then. The server obeys a key once, so it counts once however often it is sent.
"use strict";
(() => {
  const box = () => document.getElementById("outbox");
  const slot = `deckproof ${box()?.dataset.outbox}`;
  const PATIENCE = 15_000, LONGEST = 30_000;
  let memory = null, sending = false, failures = 0, timer;
  let state = ""; // of what is kept: "", "away", "sign-in"

  function kept() {
    try { return JSON.parse(localStorage.getItem(slot)) ?? memory; } catch { return memory; }
  }

  function keep(one) {
    memory = one;
    try { one ? localStorage.setItem(slot, JSON.stringify(one)) : localStorage.removeItem(slot); } catch { /* of this page alone then */ }
    show();
  }

  const drop = (one) => { if (kept()?.key === one.key) keep(null); };

  function show() {
    const place = box(), one = kept();
    if (!place) return;
    place.hidden = !one || (state === "" && !failures);
    document.getElementById("outbox-words").textContent = one?.words ?? "";
    document.getElementById("outbox-away").hidden = state === "sign-in";
    document.getElementById("outbox-sign-in").hidden = state !== "sign-in";
  }

  function key() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
  }

  async function renew() {
    await htmx.ajax("GET", location.pathname, { target: "#live", select: "#live", swap: "outerMorph" });
  }

  const read = (text) => new DOMParser().parseFromString(text, "text/html");
  const isOurs = (text) => read(text).getElementById("outbox")?.dataset.outbox === box().dataset.outbox;

  // the page with which the server said no, and why, above what stands now
  function refused(text) {
    const fresh = read(text).getElementById("live");
    document.getElementById("live").replaceWith(document.adoptNode(fresh));
    const why = document.getElementById("refusal");
    if (why) {
      why.id = "told";
      why.tabIndex = -1;
      document.getElementById("live").before(why); // where no renewal takes it away
      why.focus();
    }
    show();
  }

  async function send() {
    const one = kept();
    clearTimeout(timer);
    if (!one || sending) return;
    sending = true;
    try {
      const answer = await fetch(one.to, {
        method: "POST", body: new URLSearchParams(one.body), headers: { Accept: "text/html" },
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (answer.status >= 500 || answer.status === 429) throw new Error(answer.status);
      const text = await answer.text();
      failures = 0;
      state = "";
      if (!isOurs(text)) state = "sign-in"; // or the page of a network that wants to be signed in to
      else {
        drop(one);
        if (answer.redirected) await renew().catch(() => {});
        else refused(text);
      }
    } catch {
      failures += 1;
      state = "away";
      timer = setTimeout(send, Math.min(LONGEST, 1000 * 2 ** failures) + Math.random() * 1000);
    } finally {
      sending = false;
      show();
    }
    if (kept() && kept().key !== one.key) send(); // something else was said meanwhile
  }

  addEventListener("submit", (event) => {
    const form = event.target;
    document.getElementById("told")?.remove();
    if (form.matches("[data-now]") && !navigator.onLine) {
      event.preventDefault();
      document.getElementById("unsent").hidden = false;
      return;
    }
    if (!form.matches("[data-kept]")) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter)), mine = key();
    fields.set("key", mine);
    const words = event.submitter?.dataset.words ?? "";
    keep({ key: mine, to: form.getAttribute("action"), body: fields.toString(), words });
    send();
  });

  addEventListener("click", (event) => {
    if (event.target.closest("#outbox-send")) send();
    if (event.target.closest("#outbox-drop")) { state = ""; failures = 0; clearTimeout(timer); keep(null); }
  });
  addEventListener("online", send);
  addEventListener("storage", (event) => { if (event.key === slot) { memory = null; show(); } });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });

  // what somebody has unfolded stays so when the page is renewed
  const unfolded = new Set();
  document.addEventListener("toggle", ({ target }) => {
    if (target.id && target.matches?.("#live details")) target.open ? unfolded.add(target.id) : unfolded.delete(target.id);
  }, true);
  document.addEventListener("htmx:after:swap", () => {
    for (const id of [...unfolded]) document.getElementById(id)?.setAttribute("open", "");
    show();
  });

  if (kept()) send();
})();
