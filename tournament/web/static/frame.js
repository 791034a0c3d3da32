// Fills the form of a player's code from the address: /e/<event>/code#17-7KQ2-M4XA-09ZT. What stands behind the # is sent
// to no server and stands in no log; whoever opened the link still presses the button.
"use strict";
(() => {
  const form = document.querySelector("[data-code]");
  const found = /^#([0-9]{1,7})-([0-9A-Za-z-]{1,40})$/.exec(location.hash);
  if (!form || !found) return;
  [form.elements.number.value, form.elements.code.value] = found.slice(1);
  history.replaceState(null, "", location.pathname + location.search); // not in the history either
  form.querySelector("button").focus();
})();
