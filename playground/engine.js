// SPDX-License-Identifier: MIT
// The worker: it runs scripts in wend.wasm, and sends back what they answer. A script that does not end is ended by host.c, or
// else by the page, which ends the worker.
/* global importScripts, makeWend */
importScripts("wend.js");

let job = 0;
const ready = (async () => {
  const wasmBinary = await (await fetch("wend.wasm")).arrayBuffer();
  const wend = await makeWend({
    wasmBinary,
    onText: (text) => postMessage({ job, ...JSON.parse(text) }),
    onNumbers: (numbers) => postMessage({ job, kind: "field", numbers }, [numbers.buffer]),
  });
  postMessage({ kind: "ready" });
  return wend;
})();

onmessage = async ({ data }) => {
  const wend = await ready;
  job = data.job;
  const began = performance.now();
  try {
    wend.ccall("play", null, ["string", "number"], [data.text, data.seconds]);
  } catch (problem) { // the memory of the engine may be damaged: the page starts another one
    postMessage({ job, kind: "broken", message: String(problem) });
  }
  postMessage({ job, kind: "end", milliseconds: performance.now() - began });
};
