// SPDX-License-Identifier: MIT
// Map and rules as the fragment of an address: "#z" and base64 of compressed JSON, or "#p" and base64 of plain JSON where the
// browser cannot compress. The fragment is not sent to a server.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function fromBase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
}

export async function toFragment(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (typeof CompressionStream === "undefined") return `#p${toBase64(bytes)}`;
  return `#z${toBase64(await through(new CompressionStream("deflate"), bytes))}`;
}

// Throws if the fragment is damaged.
export async function fromFragment(fragment) {
  let bytes = fromBase64(fragment.slice(2));
  if (fragment[1] === "z") bytes = await through(new DecompressionStream("deflate"), bytes);
  return JSON.parse(new TextDecoder().decode(bytes));
}
