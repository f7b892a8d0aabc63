// Texts that are kept or left out, with score and reason: of an article all in order, of an extraction the outliers.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Curves } from "./curves_view.js";
import { Entry, Menu } from "./menu.js";

const KEPT = "#1a8f3c";
const LEFT_OUT = "#7a8599";
const REJECTED = "#c62828";
const ODD = "#b26a00";
const SHOWN = {
  all: { name: "all texts", fits: () => true },
  kept: { name: "kept", fits: (text) => text.kept },
  "left-out": { name: "left out", fits: (text) => !text.kept },
  corrected: { name: "corrected", fits: (text) => text.is_corrected },
};

const marksIn = (colourOf) => (state) => state.texts.map((text) => ({ id: text.id, place: text.place, colour: colourOf(text) }));

export const articleMarks = marksIn((text) => (text.kept ? KEPT : text.is_corrected ? REJECTED : LEFT_OUT));
export const outlierMarks = marksIn((text) => (!text.kept ? REJECTED : text.is_odd && !text.is_corrected ? ODD : KEPT));

export const articleSaves = (state) => [
  { label: "Labels (.jsonl, .csv)", value: state.files.labels, button: "Save labels", action: "save" },
  { label: state.pages.length > 1 ? "Folder for Markdown" : "Markdown (.md)", value: state.files.text, button: "Save text", action: "export" },
];

export const outlierSaves = (state) => articleSaves({ ...state, pages: [] }).slice(0, 1);

const decide = (send, text, kept, whole = false) => send("decide", { of: text.of, place: text.at, kept, whole });

// A click on a text of the page says the opposite of what is so; with Shift, of its whole line.
export function pickText(state, send, id, isShift) {
  const text = state.texts.find((each) => each.id === id);
  if (text) decide(send, text, !text.kept, isShift);
}

export function ArticleView({ state, active, setActive, send }) {
  const [shown, setShown] = useState("all");
  const list = useList(active);
  useEffect(() => {
    list.current.querySelector(".kept")?.scrollIntoView({ block: "center" }); // pages begin with navigation
  }, [state.page]);
  const kept = state.texts.filter((text) => text.kept).length;
  const texts = state.texts.filter(SHOWN[shown].fits);
  return html`
    <div class="bar">
      <span class="quiet grow"><span class="swatch kept"></span>${kept} kept <span class="swatch left-out"></span>${state.texts.length - kept} left out</span>
      <label>Show
        <select value=${shown} onChange=${(event) => setShown(event.target.value)}>
          ${Object.entries(SHOWN).map(([value, { name }]) => html`<option key=${value} value=${value}>${name}</option>`)}
        </select>
      </label>
    </div>
    ${state.title && html`<p class="title">${state.title}</p>`}
    <div class="scroll texts">
      <ul ref=${list} aria-label="Texts" onKeyDown=${moveFocus}>
        ${texts.map((text) => html`<${TextRow} key=${text.id} text=${text} active=${active} setActive=${setActive} send=${send} />`)}
      </ul>
      ${!texts.length && html`<p class="quiet none">No texts to show.</p>`}
    </div>`;
}

function TextRow({ text, active, setActive, send }) {
  const [asked, setAsked] = useState(null); // until the answer is there the box shows what was asked for
  const onChange = (event) => {
    setAsked(event.target.checked);
    decide(send, text, event.target.checked).then(() => setAsked(null));
  };
  return html`
    <li data-id=${text.id} class=${rowClass(text, active)} onMouseEnter=${() => setActive(text.id)} onFocusCapture=${() => setActive(text.id)}>
      <label title=${text.text}><input type="checkbox" checked=${asked ?? text.kept} onChange=${onChange} /> ${text.text}</label>
      ${text.in_line > 1 && html`<button class="line" aria-label=${`Whole line ${text.text}`} title=${`${text.kept ? "Leave out" : "Keep"} all ${text.in_line} texts of this line`}
        onClick=${() => decide(send, text, !text.kept, true)}>Whole line</button>`}
      <${Why} text=${text} state=${text.kept ? "kept" : "left out"} />
    </li>`;
}

export function OutliersView({ state, active, setActive, send, show }) {
  const list = useList(active);
  const point = (text) => {
    setActive(text.id);
    if (text.of !== state.page) show(text.of);
  };
  const onKey = (event, text) => {
    const kept = { a: true, r: false }[event.key.toLowerCase()];
    if (kept === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    decide(send, text, kept);
  };
  return html`
    <div class="bar">
      <span class="quiet grow ellipsis" title=${state.summary}>${state.summary}</span>
      <${Menu} label=${`Drop ${state.dropped}`} name="Drop" className="right">${(close) => html`
        <p class="quiet">${state.dropped ? `Writes the extraction without the ${state.dropped} rejected values.` : "Nothing is rejected: the file would have all values."}</p>
        <${Entry} label="File" value=${state.files.kept} button="Write file" onEnter=${(file) => close() || send("export", { file })} />`}<//>
    </div>
    <div class="scroll texts">
      ${state.curves && html`
        <details open=${true}><summary>What deleting does</summary><${Curves} curves=${state.curves} /></details>`}
      ${state.notes.map((note) => html`<p class="quiet none">${note}</p>`)}
      <ul ref=${list} aria-label="Outliers, the worst first" onKeyDown=${moveFocus}>
        ${state.outliers.map((text) => html`
          <li key=${text.id} data-id=${text.id} class=${rowClass(text, active)} onMouseEnter=${() => text.of === state.page && setActive(text.id)}
            onFocusCapture=${() => point(text)} onKeyDown=${(event) => onKey(event, text)}>
            <button class="words" aria-label=${`Show ${text.text}`} onClick=${() => point(text)}>${text.text}</button>
            <span class="verdicts">
              <button aria-label=${`Accept ${text.text}`} aria-pressed=${text.kept} onClick=${() => decide(send, text, true)}>Accept</button>
              <button aria-label=${`Reject ${text.text}`} aria-pressed=${!text.kept} onClick=${() => decide(send, text, false)}>Reject</button>
            </span>
            <${Why} text=${text} state=${text.kept ? "stays" : "dropped"} page=${state.pages.length > 1 ? state.pages[text.of].title : ""} />
          </li>`)}
      </ul>
      ${!state.outliers.length && html`<p class="quiet none">Nothing looks odd. Click a value on the page to reject it.</p>`}
      ${state.outlier_count > state.outliers.length && html`<p class="quiet none">the worst ${state.outliers.length} of ${state.outlier_count}</p>`}
    </div>
    <div class="bar quiet">A accepts, R rejects, arrow keys move; or click a value on the page</div>`;
}

function Why({ text, state, page }) {
  return html`
    <span class="why">
      <span class="verdict">${state}${text.is_corrected ? " by you" : ""}</span>
      <span title="score">${text.score.toFixed(2)}</span>
      ${text.column && html`<span>${text.column}</span>`}${page && html`<span>${page}</span>`}
      <span>${text.reason}</span>
    </span>`;
}

const rowClass = (text, active) =>
  `${text.kept ? "kept" : "left-out"}${text.is_corrected ? " corrected" : ""}${text.is_odd ? " odd" : ""}${text.id === active ? " active" : ""}`;

// Keep the row of what is pointed at on the page in view.
function useList(active) {
  const list = useRef(null);
  useEffect(() => {
    const row = active && list.current?.querySelector(`[data-id="${CSS.escape(active)}"]`);
    if (row && !row.matches(":hover")) row.scrollIntoView({ block: "nearest" });
  }, [active]);
  return list;
}

// The arrow keys go to the same control of the row above or below.
function moveFocus(event) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  const row = step && event.target.closest("li");
  if (!row) return;
  event.preventDefault();
  const controls = (each) => [...(each?.querySelectorAll("input, button") ?? [])];
  controls(row[step])[controls(row).indexOf(event.target)]?.focus();
}
