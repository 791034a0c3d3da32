// The demo wallet: a provider by EIP-6963 and EIP-1193 that asks whom it belongs to, and signs with keys that everybody
// knows. It is served in a demo only. Whatever it signs, it shows first, as a wallet does.
"use strict";
(() => {
  const chooser = document.getElementById("demo-chooser");
  const signing = document.getElementById("demo-signing");
  const banner = document.getElementById("demo");
  if (!chooser || !signing || !banner) return;
  const KEPT = "demo-wallet";
  const REJECTED = { code: 4001, message: "User rejected the request." };
  const listeners = new Map();
  let known;

  const people = async () => (known ??= await (await fetch("/demo/wallets")).json());
  const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
  const keep = (address) => { try { localStorage.setItem(KEPT, address); } catch { /* it is asked for again */ } };
  const tell = (name, said) => (listeners.get(name) ?? []).forEach((listener) => listener(said));
  const error = ({ code, message }) => Object.assign(new Error(message), { code });

  async function show() {
    const { people: all } = await people();
    const owner = all.find((one) => one.wallets.includes(kept()));
    for (const place of banner.querySelectorAll("[data-demo-owner]")) {
      place.hidden = !owner;
      place.querySelector("bdi").textContent = owner?.name ?? "";
    }
  }

  // --- dialogs

  function asked(dialog) {
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
      dialog.returnValue = "";
      dialog.showModal();
    });
  }

  async function choose() {
    const list = chooser.querySelector("ul");
    const { people: all } = await people();
    list.replaceChildren(...all.flatMap(({ name, story, wallets }) => wallets.map((address, number) => {
      const [line, button, who, what, where] = ["li", "button", "bdi", "span", "code"].map((tag) => document.createElement(tag));
      button.value = address;
      who.textContent = wallets.length > 1 ? `${name} (${number + 1}/${wallets.length})` : name;
      who.className = "name";
      what.textContent = story;
      what.lang = "en";
      where.textContent = `${address.slice(0, 6)}…${address.slice(-4)}`;
      button.append(who, what, where);
      button.autofocus = address === kept();
      line.append(button);
      return line;
    })));
    const address = await asked(chooser);
    if (!address) throw error(REJECTED);
    keep(address);
    await show();
    tell("accountsChanged", [address]);
    return [address];
  }

  function said(text) { // wallets are given texts as hexadecimal UTF-8, or plainly
    if (!/^0x([0-9a-f]{2})*$/i.test(text)) return text;
    const bytes = new Uint8Array((text.slice(2).match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
    return new TextDecoder().decode(bytes);
  }

  async function sign(message, wallet) {
    const text = said(message);
    signing.querySelector("pre").textContent = text;
    if (await asked(signing) !== "sign") throw error(REJECTED);
    const answer = await fetch("/demo/sign", { method: "POST", body: new URLSearchParams({ wallet, text }) });
    if (!answer.ok) throw error({ code: -32603, message: "The demo wallet has no key of this wallet." });
    return (await answer.json()).signature;
  }

  // --- the provider

  const provider = {
    isDemo: true,
    async request({ method, params = [] }) {
      switch (method) {
        case "eth_chainId": return (await people()).chain;
        case "net_version": return String(Number((await people()).chain));
        case "eth_accounts": return kept() ? [kept()] : [];
        case "eth_requestAccounts": return choose();
        case "personal_sign": return sign(params[0], params[1]);
        case "wallet_switchEthereumChain": case "wallet_addEthereumChain": return null;
        default: throw error({ code: 4200, message: `The demo wallet does not know ${method}.` });
      }
    },
    on(name, listener) { listeners.set(name, [...(listeners.get(name) ?? []), listener]); return provider; },
    removeListener(name, listener) {
      listeners.set(name, (listeners.get(name) ?? []).filter((one) => one !== listener));
      return provider;
    },
  };
  const info = Object.freeze({
    uuid: "6b2f4a3e-5d1c-4e0a-9c7b-de3000000001",
    name: banner.dataset.demoName,
    rdns: "example.deckproof.demo",
    icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%238a5300'/%3E%3Cpath d='M3 5h10v7H3zM10 8h3' fill='none' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E",
  });
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  addEventListener("eip6963:requestProvider", announce);
  announce();

  // Whoever is somebody else from now on has that one's wallet too.
  addEventListener("submit", ({ target }) => { if (target.dataset.demoWallet) keep(target.dataset.demoWallet); });
  show().catch(() => { /* the banner is there without a name */ });
})();
