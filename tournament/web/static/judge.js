// How long ago something was, beside its hour: judges answer the oldest call first.
"use strict";
(() => {
  const ago = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: "short", numeric: "auto" });

  function tell() {
    const ahead = Number(document.documentElement.dataset.ahead ?? 0); // of this device's clock, see page.js
    for (const place of document.querySelectorAll("[data-since]")) {
      const minutes = Math.max(0, Math.floor((Date.now() - ahead - Date.parse(place.dataset.since)) / 60000));
      const said = minutes < 120 ? ago.format(-minutes, "minute")
        : minutes < 2880 ? ago.format(-Math.floor(minutes / 60), "hour") : ago.format(-Math.floor(minutes / 1440), "day");
      let shown = place.querySelector("output");
      if (!shown) {
        shown = document.createElement("output");
        shown.setAttribute("aria-live", "off");
        place.append(" ", shown);
      }
      if (shown.textContent !== said) shown.textContent = said;
    }
  }

  tell();
  setInterval(tell, 5000);
  document.addEventListener("htmx:after:swap", tell);
  addEventListener("tick", tell);
})();
