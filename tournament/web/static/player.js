// The pages of a player before the event: lights while a list is written, cards picked, files read, printing.
"use strict";
(() => {
  // --- a list that is written: the page is asked what it would look like, and the parts that changed are put in
  const form = document.querySelector("form[data-deck]");
  let asking, waiting;

  async function look(button) {
    clearTimeout(waiting);
    asking?.abort();
    const mine = asking = new AbortController();
    const typed = new URLSearchParams(new FormData(form));
    typed.delete("key");
    if (button?.name) typed.set(button.name, button.value);
    const lights = document.getElementById("lights");
    lights.ariaBusy = "true";
    try {
      const answer = await fetch(form.dataset.deck, { method: "POST", body: typed, headers: { Accept: "text/html" }, signal: mine.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      put(page, "lights");
      put(page, "found");
      const written = page.getElementById("f-decklist");
      if (button && written) document.getElementById("f-decklist").value = written.value;
      if (button && button.name !== "again") form.elements.filename.value = "";
    } catch (error) {
      if (error.name !== "AbortError") waiting = setTimeout(look, 3000);
    } finally {
      if (asking === mine) document.getElementById("lights").ariaBusy = null;
    }
  }

  function put(page, id) {
    const before = document.getElementById(id), after = page.getElementById(id);
    if (!before || !after) return;
    const focused = document.activeElement?.id;
    before.replaceWith(document.adoptNode(after));
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  if (form) {
    form.addEventListener("input", (event) => {
      if (event.target.name === "decklist") form.elements.filename.value = "";
      if (!["decklist", "find"].includes(event.target.name)) return;
      clearTimeout(waiting);
      waiting = setTimeout(look, event.target.name === "find" ? 300 : 600);
    });
    form.addEventListener("submit", (event) => {
      if (!event.submitter?.formAction.endsWith("/check")) return; // handed in
      event.preventDefault();
      look(event.submitter);
    });
    const file = form.querySelector("[data-into]");
    file.closest("[data-upload]").hidden = false;
    file.addEventListener("change", async () => {
      const [taken] = file.files;
      if (!taken) return;
      form.elements.decklist.value = await taken.text();
      form.elements.filename.value = taken.name;
      look();
    });
  }

  // --- printing
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
})();
