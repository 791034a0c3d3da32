// The line of the control room: what it means is shown while somebody types, and the next line can be typed while the one
// before is on its way. What was refused comes back into the line, unless the next one is being typed already.
"use strict";
(() => {
  const line = () => document.getElementById("line");
  let asked, asking, before = Promise.resolve();

  const key = () => Array.from(crypto.getRandomValues(new Uint32Array(5)), (part) => part.toString(36)).join("");

  // the line waits for a keyboard; without one it would push the page down, and a keyboard up
  if (matchMedia("(pointer: coarse)").matches && document.activeElement === line()) {
    line().blur();
    scrollTo(0, 0);
  }

  function show(text) {
    const means = document.getElementById("means");
    if (means) means.innerHTML = text; // a page of ours, in which every name is escaped
  }

  async function look() {
    const typed = line()?.value.trim() ?? "";
    asking?.abort();
    if (!typed) return show("");
    asking = new AbortController();
    const place = document.getElementById("entry").dataset.means;
    try {
      const answer = await fetch(`${place}?line=${encodeURIComponent(typed)}`, { signal: asking.signal });
      if (answer.ok && !answer.redirected && line()?.value.trim() === typed) show(await answer.text());
    } catch {
      // another letter was typed, or there is no connection; the line is read again when it is sent
    }
  }

  async function send(form, typed) {
    const values = { line: typed, key: key() };
    try {
      await htmx.ajax("POST", form.action, { source: form, values, target: "#live", select: "#live", swap: "outerMorph" });
    } catch {
      return restore(typed);
    }
    if (document.getElementById("refused") || line()?.getAttribute("aria-invalid")) restore(typed);
  }

  function restore(typed) {
    const field = line();
    if (!field || field.value) return;
    field.value = typed;
    field.select();
  }

  // --- what somebody unfolded stays so while the page is renewed
  const opened = () => Array.from(document.querySelectorAll("#live details[open][id]"), (one) => one.id);
  const reopen = (ids) => ids.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  let unfolded = [];
  document.addEventListener("htmx:before:swap", (event) => {
    unfolded = opened();
    const { request, response } = event.detail?.ctx ?? {};
    const here = location.pathname + location.search;
    const isFixed = document.querySelector("#live")?.dataset.topics.trim() === "";
    if (isFixed && request?.method === "GET" && request.action === here) return event.preventDefault(); // a refusal stays
    const raw = response?.raw;
    if (!raw?.redirected || new URL(raw.url).pathname === location.pathname) return;
    event.preventDefault(); // the line leads to a page of its own
    location.assign(raw.url);
  });
  document.addEventListener("htmx:after:swap", () => reopen(unfolded));

  document.addEventListener("input", (event) => {
    if (event.target !== line()) return;
    if (event.target.value === "?") {
      event.target.value = "";
      const keys = document.getElementById("keys");
      keys.open = !keys.open;
    }
    clearTimeout(asked);
    asked = setTimeout(look, 60);
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "entry") return;
    const field = line(), typed = field.value.trim();
    if (/^[a-z]?$/i.test(typed)) return; // it leads to another page, or nowhere
    if (/^[a-z]*\d[\w.]*$/i.test(typed) || /^\S+ [+-]\d+$/.test(typed)) return;
    event.preventDefault();
    field.value = "";
    clearTimeout(asked);
    asking?.abort();
    show("");
    before = before.then(() => send(event.target, typed));
  });
})();
