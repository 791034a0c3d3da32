// One button that prints; without JavaScript the page says how.
"use strict";
(() => {
  const button = document.getElementById("print");
  button.hidden = false;
  document.getElementById("print-by-hand").hidden = true;
  button.addEventListener("click", () => print());
})();
