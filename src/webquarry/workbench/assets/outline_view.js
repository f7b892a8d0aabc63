// The outline of sections or fields with the values of the page on screen; a name opens its corrections.

import { html } from "./vendor/preact-htm.js";
import { colourOf } from "./colours.js";
import { Entry, Menu, NameAndType, Split } from "./menu.js";

const pathOf = (value) => value.path.filter((part) => typeof part === "string").join(".");

export function outlineMarks(state) {
  const headings = state.headings.map((heading) => ({
    id: `heading ${heading.path} ${heading.place}`, path: heading.path, place: heading.place, colour: colourOf(heading.level - 1),
  }));
  const values = state.values
    .filter((value) => value.place)
    .map((value, number) => ({ id: `value ${number}`, path: pathOf(value), place: value.place, colour: "#888" }));
  return [...headings, ...values];
}

export function OutlineView({ state, active, setActive, send, picked }) {
  const texts = new Map();
  state.values.forEach((value) => {
    const path = pathOf(value);
    texts.set(path, [...(texts.get(path) ?? []), value.text]);
  });
  const marks = outlineMarks(state);
  const activePath = marks.find((mark) => mark.id === active)?.path;
  const titles = state.values.filter((value) => String(value.path[0]).startsWith("_"));
  return html`
    <div class="scroll outline">
      ${titles.length > 0 && html`<p class="title">${titles.find((value) => value.path[0] === "_title")?.text}</p>`}
      <ul>
        ${state.fields.map((field) => {
          const found = texts.get(field.path) ?? [];
          const isThere = found.length > 0 || [...texts.keys()].some((path) => path.startsWith(`${field.path}.`));
          return html`
            <li key=${field.path} style=${{ paddingLeft: `${(field.level - 1) * 18}px` }}
              class=${field.path === activePath ? "active" : isThere ? "" : "absent"}
              onMouseEnter=${() => setActive(marks.find((mark) => mark.path === field.path)?.id ?? null)}>
              <${SectionMenu} field=${field} state=${state} text=${found[0]} send=${send} />
              <span class="value" title=${found.join("\n")}>${found.join(" · ")}</span>
              ${!isThere && html`<span class="quiet">not on this page</span>`}
            </li>`;
        })}
      </ul>
      ${state.values.some((value) => value.path[0] === "_other") && html`
        <p class="quiet">On this page and in no section: ${
          [...new Set(state.values.filter((value) => value.path[0] === "_other").map((value) => value.headings[1]))].join(", ")}</p>`}
    </div>
    <div class="bar">
      <${Entry} label="Text on the page" value=${picked?.text} button=${state.kind === "item" ? "Make it a field" : "Make it a heading"} onEnter=${(example) => send("add", { example })} />
    </div>`;
}

function SectionMenu({ field, state, text, send }) {
  const others = state.fields.filter((each) => each.path !== field.path && !each.path.startsWith(`${field.path}.`));
  const label = html`<span class="swatch" style=${{ background: colourOf(field.level - 1) }}></span>${field.name}${
    field.is_optional ? html`<span title="Not on every page">?</span>` : ""}${field.is_repeated ? html`<span title="May be on a page several times">*</span>` : ""} <span class="type">${field.type === "text" ? "" : field.type}</span>`;
  return html`
    <${Menu} label=${label} name=${`Section ${field.path}`}>${(close) => {
      const run = (action, given) => {
        close();
        send(action, { example: field.path, ...given });
      };
      const choose = (action) => (event) => event.target.value && run(action, { to: event.target.value });
      return html`
        <${NameAndType} field=${field} run=${run} />
        <label>Move into
          <select aria-label="Move into" onChange=${choose("move")}>
            <option value="">…</option><option value=${state.name}>top level</option>
            ${others.map((each) => html`<option key=${each.path} value=${each.path}>${each.path}</option>`)}
          </select>
        </label>
        <label>Join with
          <select aria-label="Join with" onChange=${choose("join")}>
            <option value="">…</option>${others.map((each) => html`<option key=${each.path} value=${each.path}>${each.path}</option>`)}
          </select>
        </label>
        ${field.is_field ? html`
          <${Split} text=${text} run=${run} />
          <button class="danger" onClick=${() => run("drop")}>Drop this field</button>` : html`
          <button class="danger" onClick=${() => run("drop")}>Drop this heading</button>
          <button class="danger" title="Also all other headings that look like it" onClick=${() => run("drop", { whole_format: true })}>Drop all of its format</button>`}`;
    }}<//>`;
}
