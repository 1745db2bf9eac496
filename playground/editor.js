// SPDX-License-Identifier: MIT
// The editor of rules: CodeMirror with Lua, and an error under its line.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completion } from "./completion.js";

const setError = StateEffect.define();

class Message extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const element = document.createElement("div");
    element.className = "cm-under";
    element.setAttribute("role", "alert");
    element.textContent = this.text;
    return element;
  }
}

const errors = StateField.define({
  create: () => Decoration.none,
  update(decorations, transaction) {
    decorations = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setError)) continue;
      if (!effect.value) { decorations = Decoration.none; continue; }
      const { doc } = transaction.state;
      const line = doc.line(Math.max(1, Math.min(effect.value.line ?? 1, doc.lines)));
      decorations = Decoration.set([
        Decoration.line({ class: "cm-wrong" }).range(line.from),
        Decoration.widget({ widget: new Message(effect.value.message), block: true, side: 1 }).range(line.to),
      ]);
    }
    return decorations;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "10px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--soft)", border: "none", paddingLeft: "6px" },
  ".cm-tooltip": { backgroundColor: "var(--card)", border: "1px solid var(--line)", borderRadius: "8px", overflow: "hidden" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", maxWidth: "340px", font: "13px/1.45 system-ui, sans-serif" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".65" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 6%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--selection)" },
});

export class Editor {
  constructor(parent, onChange) {
    const changes = EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); });
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(),
          indentUnit.of("  "), StreamLanguage.define(lua), syntaxHighlighting(colours), theme, errors, changes, completion,
          keymap.of([...defaultKeymap, ...historyKeymap]), EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Rules in Lua", spellcheck: "false", autocapitalize: "off" }),
        ],
      }),
    });
  }

  get text() { return this.view.state.doc.toString(); }
  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, effects: setError.of(null) });
    this.view.scrollDOM.scrollTop = 0;
  }

  // { line, message }, or null. Without a line it stands under the first one.
  set error(error) { this.view.dispatch({ effects: setError.of(error) }); }
}
