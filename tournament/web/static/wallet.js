// Wallets of the browser: found by EIP-6963, asked by EIP-1193, and what they sign is taken to the API.
//
// A page has <div data-wallet="link|sign-in" data-wallet-event="…" data-wallet-entry="17" data-wallet-then="/where/next"
// data-wallet-linked="0x… 0x…"> (the macro `wallets` of parts_player.html). In it: [data-wallet-list], where the wallets
// go, and one [data-wallet-when="…"] for each thing that can be said, so that all words are the page's; the states are
// those of `say` below. Nothing of a wallet is trusted: names are text, icons are pictures in data: addresses or nothing.
"use strict";
(() => {
  const LONGEST_ICON = 100_000;
  const REJECTED = 4001, PENDING = -32002, UNKNOWN = -32601, UNSUPPORTED = 4200, DISCONNECTED = 4900;
  const found = new Map(); // by uuid

  const places = () => document.querySelectorAll("[data-wallet-event]");

  function say(place, what, words = "") {
    for (const one of place.querySelectorAll("[data-wallet-when]")) one.hidden = one.dataset.walletWhen !== what;
    place.dataset.walletState = what;
    if (what === "refused") place.querySelector("[data-wallet-refusal]").textContent = words;
  }

  // --- finding
  addEventListener("eip6963:announceProvider", ({ detail }) => {
    const { info, provider } = detail ?? {};
    if (!provider?.request || typeof info?.uuid !== "string" || found.has(info.uuid)) return;
    found.set(info.uuid, { name: String(info.name || "Wallet").slice(0, 60), icon: info.icon, provider });
    for (const place of places()) list(place);
  });

  function list(place) {
    const box = place.querySelector("[data-wallet-list]");
    if (box.childElementCount === 0) say(place, "choose");
    box.hidden = false;
    for (const [uuid, wallet] of found) {
      if (box.querySelector(`[data-uuid="${CSS.escape(uuid)}"]`)) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "wallet";
      button.dataset.uuid = uuid;
      const is_picture = typeof wallet.icon === "string" && wallet.icon.startsWith("data:image/") && wallet.icon.length < LONGEST_ICON;
      if (is_picture) {
        const icon = new Image(32, 32);
        icon.alt = "";
        icon.src = wallet.icon;
        button.append(icon);
      }
      const name = document.createElement("bdi");
      name.textContent = wallet.name;
      button.append(name);
      button.addEventListener("click", () => use(place, wallet, button));
      const line = document.createElement("li");
      line.append(button);
      box.append(line);
    }
  }

  function look() {
    for (const place of places()) if (!found.size) say(place, "looking");
    dispatchEvent(new Event("eip6963:requestProvider"));
    setTimeout(() => {
      if (!found.size && window.ethereum?.request) { // a wallet from before EIP-6963
        found.set("window.ethereum", { name: window.ethereum.isMetaMask ? "MetaMask" : "Wallet", provider: window.ethereum });
        for (const place of places()) list(place);
      }
      if (!found.size) for (const place of places()) say(place, "none");
    }, 600);
  }

  // --- asking
  class Refused extends Error {}
  class Away extends Error {}

  async function post(address, body, key) {
    let answer;
    try {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      if (key) headers["Idempotency-Key"] = key;
      answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    } catch {
      throw new Away();
    }
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Refused([said.title, said.detail].filter(Boolean).join(": "));
    return said;
  }

  const hex = (text) => "0x" + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  async function use(place, { provider }, button) {
    const { wallet: does, walletEvent: event, walletEntry: entry, walletThen: then, walletLinked: linked } = place.dataset;
    if (place.ariaBusy === "true") return;
    place.ariaBusy = "true";
    let was_changed = false;
    let account = "";
    const on_change = (accounts) => { was_changed ||= Boolean(account) && String(accounts?.[0] ?? "").toLowerCase() !== account.toLowerCase(); };
    provider.on?.("accountsChanged", on_change);
    try {
      say(place, "connecting");
      const accounts = await provider.request({ method: "eth_requestAccounts" });
      account = String(accounts?.[0] ?? "");
      if (!account) return say(place, "empty");
      if (does === "link" && linked.toLowerCase().split(" ").includes(account.toLowerCase())) return say(place, "already");
      const asked = does === "link" ? { address: account } : { event, address: account };
      const text = await post(does === "link" ? `/events/${event}/wallets/text` : "/session/wallet/text", asked);
      const network = await provider.request({ method: "eth_chainId" }).then(Number, () => text.chain_id);
      say(place, network === text.chain_id ? "signing" : "network");
      const signature = await provider.request({ method: "personal_sign", params: [hex(text.text), account] });
      if (was_changed) return say(place, "changed");
      say(place, "sending");
      const answer = { nonce: text.nonce, signature };
      if (does === "link") await post(`/events/${event}/entries/${entry}/wallets`, answer, `wallet-${text.nonce}`);
      else await post("/session/wallet", answer);
      say(place, "done");
      location.assign(then);
    } catch (error) {
      if (error instanceof Refused) say(place, "refused", error.message);
      else if (error instanceof Away) say(place, "away");
      else if (was_changed) say(place, "changed");
      else say(place, of_wallet(error));
      button.focus();
    } finally {
      provider.removeListener?.("accountsChanged", on_change);
      place.ariaBusy = null;
    }
  }

  function of_wallet(error) {
    switch (error?.code) {
      case REJECTED: return "rejected";
      case "ACTION_REJECTED": return "rejected";
      case PENDING: return "pending";
      case DISCONNECTED: return "pending";
      case UNSUPPORTED: case UNKNOWN: return "unable";
      default: return /reject|denied|cancel/i.test(error?.message ?? "") ? "rejected" : "unable";
    }
  }

  // --- a text that is signed elsewhere
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
      button.append(" ✓");
    }, { once: true });
  }

  look();
  addEventListener("pageshow", (event) => { if (event.persisted) look(); });
})();
