// SPDX-License-Identifier: MIT
// The service worker: it keeps the files of the page, so that the page opens without a network. build.mjs fills in their names and
// a checksum of all of them.
const FILES = "%FILES%";
const CACHE = "wend-playground-%VERSION%";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("wend-playground-") && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
