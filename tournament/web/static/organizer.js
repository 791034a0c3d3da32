// Pages of organizers, with JavaScript: texts that are copied, files that are read into a field, fields that are shown
// when they mean something, and the clock of whoever announces an event. Without it everything is there at once.
"use strict";
(() => {
  const all = (what) => document.querySelectorAll(what);

  // --- copy
  for (const button of all("[data-copies]")) {
    button.hidden = false;
    const words = button.textContent;
    button.addEventListener("click", async () => {
      const place = document.getElementById(button.dataset.copies);
      place.select();
      try {
        await navigator.clipboard.writeText(place.value);
      } catch {
        document.execCommand("copy"); // by http, browsers have no clipboard
      }
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = words; }, 2000);
    });
  }

  // --- files
  for (const chosen of all("[data-reads-into]")) {
    chosen.closest("[hidden]").hidden = false;
    chosen.addEventListener("change", async () => {
      const [file] = chosen.files;
      if (file) document.getElementById(chosen.dataset.readsInto).value = await file.text();
    });
  }

  // --- fields that mean something only with others; hidden ones are not sent
  const inner = [...all("[data-when]")];

  function fit() {
    for (const place of inner) {
      const [name, said] = place.dataset.when.split("=");
      const other = place.closest("form").elements[name];
      const means = !other || said.split(",").includes(other.value) || place.matches(".wrong");
      place.hidden = !means;
      for (const field of place.querySelectorAll("input, select, textarea")) field.disabled = !means;
    }
  }

  if (inner.length) {
    document.addEventListener("change", fit);
    fit();
  }

  // --- a new event is where its organizer is, until somebody says otherwise
  for (const zone of all("form[action^='/organize/new'] [data-own-zone]")) {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone.value === "UTC" && own) zone.value = own;
  }

  // --- the clocks that there are, as the browser knows them
  const clocks = document.getElementById("zones");
  if (clocks) clocks.append(...(Intl.supportedValuesOf?.("timeZone") ?? []).map((zone) => new Option("", zone)));
})();
