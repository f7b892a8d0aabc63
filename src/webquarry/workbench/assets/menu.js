// A button that opens a small panel below it, within the window; Escape or a click elsewhere closes it.

import { html, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";

const MARGIN = 8; // CSS pixels between a panel and the edges of the window

export function Menu({ label, name, children, className = "", isPrimary = false }) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const settle = () => place(root.current.querySelector(".panel"), root.current.getBoundingClientRect());
    settle();
    const first = root.current.querySelector(".panel input, .panel select, .panel button");
    first?.focus();
    first?.select?.();
    const close = (event) => {
      if (!root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("scroll", settle, true);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("scroll", settle, true);
    };
  }, [isOpen]);
  const onKey = (event) => {
    if (event.key === "Escape" && isOpen) {
      setOpen(false);
      root.current.querySelector("button").focus();
      event.stopPropagation();
    }
  };
  return html`
    <span class=${`menu ${className}`} ref=${root} onKeyDown=${onKey}>
      <button class=${isPrimary ? "primary" : ""} aria-haspopup="true" aria-expanded=${isOpen} aria-label=${name} onClick=${() => setOpen(!isOpen)}>${label}</button>
      ${isOpen && html`<div class="panel" role="group" aria-label=${name}>${children(() => setOpen(false))}</div>`}
    </span>`;
}

function place(panel, button) {
  const left = Math.max(MARGIN, Math.min(button.left, innerWidth - panel.offsetWidth - MARGIN));
  const top = Math.max(MARGIN, Math.min(button.bottom + 4, innerHeight - panel.offsetHeight - MARGIN));
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
  panel.style.maxHeight = `${innerHeight - top - MARGIN}px`;
}

// A text field with a button, for names and examples.
export function Entry({ label, value = "", button, onEnter }) {
  const field = useRef(null);
  useLayoutEffect(() => {
    field.current.value = value; // once for each value: drawing again must not undo what a person types
  }, [value]);
  const enter = (event) => {
    event.preventDefault();
    onEnter(field.current.value);
  };
  return html`
    <form class="entry" onSubmit=${enter}>
      <label>${label}<input ref=${field} autocomplete="off" /></label>
      <button>${button}</button>
    </form>`;
}

const TYPES = ["text", "number", "money", "date", "boolean", "list"];

// The name and type of a column or section, to be changed.
export function NameAndType({ field, run }) {
  return html`
    <${Entry} label="Name" value=${field.name} button="Rename" onEnter=${(name) => run("rename", { name })} />
    <label>Type
      <select aria-label="Type" value=${field.type} onChange=${(event) => run("retype", { to: event.target.value })}>
        ${[...new Set([field.type, ...TYPES])].map((type) => html`<option key=${type} value=${type}>${type}</option>`)}
      </select>
    </label>`;
}

// Split a column at a separator, or by a part of one of its values.
export function Split({ text, run }) {
  const form = useRef(null);
  const enter = (event) => {
    event.preventDefault();
    const { at, part, name } = Object.fromEntries(new FormData(form.current));
    run("split", { at, part, name });
  };
  return html`
    <details>
      <summary>Split</summary>
      <form class="split" ref=${form} onSubmit=${enter}>
        ${text && html`<p class="quiet ellipsis" title=${text}>such as ${text}</p>`}
        <label>At the separator<input name="at" autocomplete="off" /></label>
        <label>Or this part of a value<input name="part" autocomplete="off" /></label>
        <label>New column<input name="name" autocomplete="off" /></label>
        <button>Split</button>
      </form>
    </details>`;
}
