// The workbench: the page on the left, what was found on the right, and the work as a whole above them.

import { html, render, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { act, getElement, getGaps, getState } from "./server.js";
import { Entry, Menu } from "./menu.js";
import { CatalogView } from "./catalog_view.js";
import { OutlineView, outlineMarks } from "./outline_view.js";
import { PageView } from "./page_view.js";
import { Progress, useProgress } from "./progress.js";
import { TableView, tableMarks } from "./table_view.js";
import { ArticleView, OutliersView, articleMarks, articleSaves, outlierMarks, outlierSaves, pickText } from "./texts_view.js";

const wrapperSaves = (state) => [
  { label: "Wrapper", value: state.file, button: "Save wrapper", action: "save" },
  { label: "Table (.csv, .parquet, .duckdb …)", value: `${state.name}.csv`, button: "Save table", action: "export" },
];
const VIEWS = {
  table: { View: TableView, marksOf: tableMarks, savesOf: wrapperSaves },
  outline: { View: OutlineView, marksOf: outlineMarks, savesOf: wrapperSaves },
  article: { View: ArticleView, marksOf: articleMarks, savesOf: articleSaves, pick: pickText },
  outliers: { View: OutliersView, marksOf: outlierMarks, savesOf: outlierSaves, pick: pickText },
};

const HINTS = {
  table: "Click a column name to correct it. On the page, click in a record to add a column, or in another list to take that one. Then save.",
  tables: "Click a column name to correct it, or another table on the page to take that one. Then save.",
  outline: "Click a name to correct it, or a text on the page to make it a heading. Then save.",
  item: "Click a name to correct it, or a text on the page to make it a field. Then save.",
  article: "Click a text to keep it or leave it out. Then save the text, or labels.",
  outliers: "Accept or reject what looks odd. Then drop what you rejected, or save labels.",
  catalog: "Write a query and run it. Click a value of the answer to see where it comes from.",
};
const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const OPENING_LOOK = 200; // milliseconds between two looks at work that is being opened

function App() {
  const [state, setState] = useState(null);
  const [active, setActive] = useState(null);
  const [message, setMessage] = useState({ text: "Reading…" });
  const [isBusy, setBusy] = useState(false);
  const [picked, setPicked] = useState(null); // {text, words} of what was clicked or selected on the page, if nothing has it

  const show = (page, said) =>
    getState(page).then(
      (found) => {
        if (found.view === "opening") return setTimeout(show, OPENING_LOOK, page);
        setState(found);
        return setMessage({ text: said ?? HINTS[found.kind] ?? HINTS[found.view] });
      },
      (error) => setMessage({ text: String(error.message), isError: true }),
    );
  useEffect(() => {
    show(0);
  }, []);

  // Actions follow each other: each is about the state that the one before left.
  const latest = useRef(null);
  const queue = useRef(Promise.resolve());
  latest.current = state;

  function send(action, given) {
    queue.current = queue.current.then(() => sendNow(action, given));
    return queue.current;
  }

  async function sendNow(action, given) {
    setBusy(true);
    try {
      const answer = await act(latest.current.version, latest.current.page, action, given);
      if (answer.state) {
        latest.current = answer.state; // the next action may come before this state is drawn
        setState(answer.state);
      }
      setMessage(answer.error ? { text: answer.error, isError: true } : { text: answer.said });
      return answer;
    } catch {
      setMessage({ text: "The workbench has ended; start it again with quarry workbench", isError: true });
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  useEffect(() => {
    const onKey = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.matches?.("input:not([type=checkbox]), textarea, select")) return;
      if (event.key === "z") send(event.shiftKey ? "redo" : "undo");
      else if (event.key === "y") send("redo");
      else if (event.key === "s") send("save");
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  // The page on screen comes first; what the other pages lack follows.
  const [gaps, setGaps] = useState([]);
  const pageCount = state?.pages?.length ?? 0;
  useEffect(() => {
    setGaps([]);
    if (state?.lacking && pageCount > 1) getGaps(state.version).then((found) => found.version && setGaps(found.gaps), () => {});
  }, [state?.version, pageCount]);

  const progress = useProgress(isBusy || !state);
  const marks = useMemo(() => VIEWS[state?.view]?.marksOf(state) ?? [], [state]);
  const status = html`
    <p class=${message.isError && !isBusy ? "message error" : "message"} role="status">${
      progress ? html`<${Progress} progress=${progress} />` : isBusy ? "Working…" : message.text}</p>`;
  if (!state) return html`<main class="opening"><h1>webquarry workbench</h1>${status}</main>`;

  if (state.view === "catalog") {
    return html`
      <header class="bar top"><strong>${state.name}</strong> <span class="quiet">catalog</span></header>
      <main class=${state.where?.page == null ? "catalog" : "catalog with-page"}><${CatalogView} state=${state} send=${send} isBusy=${isBusy} /></main>
      ${status}`;
  }
  const { View, savesOf, pick } = VIEWS[state.view];
  const onPick = async (known, lineage, tree, isShift) => {
    if (known || !tree || pick) setActive(known);
    if (pick) return pick(state, send, known, isShift);
    if (known || !tree || lineage.length === 0) return undefined;
    const found = await getElement(state.page, lineage[0]);
    const isInRecord = state.records.some(([first, stop]) => first <= lineage[0] && lineage[0] < stop);
    if (state.view !== "table" || (isInRecord && !isShift)) return setPicked(found);
    return isShift ? send("add", { example: found.words, record: true }) : send("choose", { example: found.words });
  };
  return html`
    <header class="bar top">
      <strong>${state.name}</strong> <span class="quiet">${state.kind}</span>
      ${state.pages.length > 1 && html`<${Pages} state=${state} gaps=${gaps} show=${show} />`}
      <span class="grow"></span>
      <button disabled=${!state.history.length || isBusy} onClick=${() => send("undo")}>Undo</button>
      <button disabled=${!state.can_redo || isBusy} onClick=${() => send("redo")}>Redo</button>
      <${Menu} label=${`History (${state.history.length})`} name="History">${() => html`
        ${state.history.length ? html`<ol class="history">${state.history.map((step, number) => html`<li key=${number}>${step}</li>`)}</ol>`
          : html`<p class="quiet">No corrections yet.</p>`}
        ${state.steps && state.history.length > 0 && html`
          <p class="quiet">${plural(state.steps[1], "action")}; by the rules of the paper on wrappers, ${plural(state.steps[0], "step")}</p>`}`}<//>
      <${Menu} label=${state.is_saved ? "Saved" : "Save"} name="Save" className="right" isPrimary=${!state.is_saved}>${(close) => html`
        ${savesOf(state).map((each) => html`
          <${Entry} key=${each.action} ...${each} onEnter=${(file) => close() || send(each.action, { file })} />`)}
        <p class="quiet small">Files go to ${state.folder}</p>`}<//>
    </header>
    ${state.warnings.length > 0 && html`<p class="message warning">${state.warnings.join(" · ")}</p>`}
    ${gaps.some((each) => each.length) && html`<${Gaps} state=${state} gaps=${gaps} show=${show} />`}
    <main>
      <${PageView} key=${state.page} number=${state.page} title=${state.pages[state.page].address} marks=${marks} active=${active}
        isExact=${Boolean(pick)} onHover=${setActive} onPick=${onPick}
        onSelect=${pick ? null : (text) => setPicked({ text, words: text })} />
      <section class="found" aria-label="What was found" aria-busy=${isBusy}>
        <${View} state=${state} active=${active} setActive=${setActive} send=${send} show=${show} picked=${picked} />
      </section>
    </main>
    ${status}`;
}

function Pages({ state, gaps, show }) {
  return html`
    <button aria-label="Previous page" disabled=${state.page === 0} onClick=${() => show(state.page - 1)}>‹</button>
    <select aria-label="Page" value=${state.page} onChange=${(event) => show(Number(event.target.value))}>
      ${state.pages.map((page, number) => html`<option key=${number} value=${number}>${page.title}${
        gaps[number]?.length ? ` (lacks ${gaps[number].length})` : ""}</option>`)}
    </select>
    <button aria-label="Next page" disabled=${state.page === state.pages.length - 1} onClick=${() => show(state.page + 1)}>›</button>`;
}

// Which pages lack what; a click shows the page.
function Gaps({ state, gaps, show }) {
  const lacking = gaps.map((paths, number) => ({ paths, number })).filter(({ paths }) => paths.length);
  return html`
    <div class="bar gaps" role="group" aria-label="What pages lack">
      <span class="quiet">${lacking.length} of ${gaps.length} pages lack something</span>
      ${lacking.map(({ paths, number }) => html`
        <button key=${number} aria-pressed=${number === state.page} title=${paths.join("\n")} onClick=${() => show(number)}>
          ${state.pages[number].title} <span class="quiet">lacks ${paths.length === 1 ? paths[0] : paths.length}</span></button>`)}
    </div>`;
}

render(html`<${App} />`, document.getElementById("app"));
