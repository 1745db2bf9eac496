// SPDX-License-Identifier: MIT
// A value as text in Lua: strings, numbers, booleans, lists and plain objects.

const utf8 = new TextEncoder();

function quoted(text) {
  let plain = true;
  for (let i = 0; i < text.length && plain; i++) {
    const code = text.charCodeAt(i);
    plain = code >= 32 && code < 127 && code !== 34 && code !== 92;
  }
  if (plain) return `"${text}"`;
  let out = "";
  for (const byte of utf8.encode(text)) {
    out += byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
      ? String.fromCharCode(byte)
      : "\\" + String(byte).padStart(3, "0");
  }
  return `"${out}"`;
}

export function toLua(value) {
  if (value === null || value === undefined) return "nil";
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `{${value.map(toLua).join(",")}}`;
  return `{${Object.entries(value).map(([key, item]) => `[${quoted(key)}]=${toLua(item)}`).join(",")}}`;
}
