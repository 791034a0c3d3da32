// Keeps one page, so that a desk goes on where the server is gone. It answers for nothing else of the site.
"use strict";
const KEPT = "deckproof-desk";
const PATIENCE_MS = 5000;
const desk = new URL(registration.scope).pathname;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keep(event.data.keep));
});

async function keep(addresses) {
  const cache = await caches.open(KEPT + desk);
  const before = await cache.keys();
  for (const address of addresses) {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (answer.ok && !answer.redirected) await cache.put(new URL(address, location.href).pathname, answer);
  }
  const wanted = addresses.map((address) => new URL(address, location.href).pathname);
  for (const one of before) if (!wanted.includes(new URL(one.url).pathname)) await cache.delete(one);
}

addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== location.origin || event.request.method !== "GET") return;
  if (event.request.mode === "navigate" && pathname === desk) event.respondWith(page(event.request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
});

async function page(request) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.status < 500) return answer;
  } catch { /* the server is gone */ }
  return (await kept(`${desk}/alone`)) ?? Response.error();
}

async function file(request) {
  return (await kept(new URL(request.url).pathname)) ?? fetch(request);
}

async function kept(path) {
  return (await caches.open(KEPT + desk)).match(path, { ignoreVary: true });
}
