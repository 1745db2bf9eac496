// SPDX-License-Identifier: MIT
// The answers in words: a card for each unit, with what its path costs and why, or why there is none; and what the script prints.

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const number = (n) => (n === null ? "∞" : Number(n.toFixed(2)).toString());

function unitCard(unit, index, selected, onSelect) {
  const card = element("button", undefined, "unit");
  card.setAttribute("aria-pressed", String(index + 1 === selected));
  card.title = "Show the prices and the field of this unit";
  card.addEventListener("click", () => onSelect(index + 1));
  const dot = element("span", undefined, "dot");
  dot.style.background = `var(--unit-${index + 1})`;
  card.append(dot, element("b", unit.name));
  if (!unit.cells) {
    card.append(element("p", unit.why ?? unit.message, "why"));
    return card;
  }
  card.append(element("span", `cost ${number(unit.cost)}`, "cost"), element("small", `${unit.cells.length / 2} cells`));
  const table = element("table");
  for (const sum of unit.tags) {
    const row = element("tr");
    row.append(element("td", sum.tag || "no tag"), element("td", `${sum.steps} step${sum.steps === 1 ? "" : "s"}`),
      element("td", number(sum.cost)), element("td", sum.rules.length ? sum.rules.join(", ") : "weights alone"));
    table.append(row);
  }
  card.append(table);
  return card;
}

export function showReport(parent, { units, printed, paths }, selected, onSelect) {
  parent.replaceChildren();
  units.forEach((unit, i) => parent.append(unitCard(unit, i, selected, onSelect)));
  if (printed) parent.append(element("pre", printed.trimEnd()));
  if (!units.length && paths.length) {
    parent.append(element("p", `${paths.length} path${paths.length === 1 ? "" : "s"} on the last map`, "status"));
  }
  parent.hidden = !parent.childNodes.length;
}
