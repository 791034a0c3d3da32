// What a page does with JavaScript that it does not do without: it stays true by itself, counts the clock down, and says
// that it is waiting. Each part looks for its own attribute, so a page that has none of them is left alone.
"use strict";
(() => {
  const live = () => document.querySelector("#live[data-stream]");
  const away = document.getElementById("away");
  const soon = (most) => Math.random() * most;

  // --- live: a stream tells what changed; the page is asked for again and morphed, so focus and typed text stay
  let source, version, waiting, failures = 0;

  function renew() {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      try {
        await htmx.ajax("GET", location.pathname + location.search, { target: "#live", select: "#live", swap: "outerMorph" });
      } catch {
        waiting = setTimeout(renew, 2000 + soon(2000));
      }
    }, 100 + soon(600)); // everybody in the room is told at the same time
  }

  function heard(event) {
    const news = JSON.parse(event.data);
    version = news.version;
    const only = JSON.parse(document.querySelector("#live [data-only]")?.dataset.only ?? "{}");
    if (Object.entries(only).some(([what, ours]) => what in news && !ours.includes(news[what]))) return; // of others
    const topics = (live()?.dataset.topics ?? "").split(" ");
    if (news.topics.some((topic) => topic === "reload" || topics.includes(topic))) renew();
  }

  function listen() {
    const place = live();
    if (!place || !place.dataset.topics.trim() || document.documentElement.hasAttribute("data-answer")) return; // an answer to a form stays
    version ??= place.dataset.version;
    source = new EventSource(`${place.dataset.stream}?after=${version}`);
    source.onmessage = heard;
    source.onopen = () => {
      if (failures) renew();
      failures = 0;
      away.hidden = true;
    };
    source.onerror = () => {
      failures += 1;
      if (failures > 1) away.hidden = false; // one error is a stream that ended as it should
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, Math.min(30, 2 ** failures) * 1000 + soon(1000));
    };
  }

  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted && !document.documentElement.hasAttribute("data-answer")) { renew(); listen(); } });

  // --- clock: minutes and seconds to go beside the hour
  const LONG_OVER = 600;

  let ahead = 0; // milliseconds by which this device's clock is; of a phone it may be hours
  const OFF = 5000;

  async function compare() {
    if (!document.querySelector("[data-ends], [data-since]")) return;
    try {
      const asked = Date.now(), answer = await fetch("/favicon.ico", { cache: "no-store" });
      const off = (asked + Date.now()) / 2 - Date.parse(answer.headers.get("date")) - 500; // the header has whole seconds
      if (Math.abs(off) < OFF || Number.isNaN(off)) return;
      ahead = off;
      document.documentElement.dataset.ahead = off;
      dispatchEvent(new Event("tick"));
    } catch {
      // without a connection the device's clock is all there is
    }
  }

  function tick() {
    for (const place of document.querySelectorAll("[data-ends]")) {
      const left = Math.round((Date.parse(place.dataset.ends) - Date.now() + ahead) / 1000);
      place.classList.toggle("over", left < 0);
      place.classList.toggle("long-over", left < -LONG_OVER);
      const digits = `${left < 0 ? "−" : ""}${Math.floor(Math.abs(left) / 60)}:${String(Math.abs(left) % 60).padStart(2, "0")}`;
      let shown = place.querySelector("output");
      if (!shown) {
        shown = document.createElement("output");
        shown.setAttribute("aria-live", "off");
        place.append(" ", shown);
      }
      const text = left < -LONG_OVER ? document.body.dataset.timeUp : digits; // how long ago interests nobody any more
      if (shown.textContent !== text) shown.textContent = text;
    }
  }

  // --- busy: a form that takes a while says so, and is sent once
  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-busy]")) return;
    if (form.ariaBusy === "true") return event.preventDefault();
    form.ariaBusy = "true";
    for (const place of form.querySelectorAll(".loading")) place.hidden = false;
  });
  addEventListener("pageshow", () => document.querySelectorAll("[data-busy]").forEach((form) => {
    form.ariaBusy = null;
    form.querySelectorAll(".loading").forEach((place) => { place.hidden = true; });
  }));

  // --- menus that are longer than a phone is wide begin where the reader is
  for (const here of document.querySelectorAll("nav [aria-current]")) {
    const menu = here.closest("nav");
    if (menu.scrollWidth > menu.clientWidth) menu.scrollLeft = here.offsetLeft - menu.offsetLeft - (menu.clientWidth - here.offsetWidth) / 2;
  }

  listen();
  tick();
  compare();
  setInterval(tick, 1000);
  addEventListener("tick", tick); // a script that put a clock on the page does not wait for the second
})();
