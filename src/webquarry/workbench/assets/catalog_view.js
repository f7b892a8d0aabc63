// A catalog: its sources as a tree, an editor for SQL, the plan of a query, its answer as a table, and beside it the page
// that a value of the answer comes from.

import { html, useRef, useState } from "./vendor/preact-htm.js";
import { colourOf } from "./colours.js";
import { Entry, Menu } from "./menu.js";
import { PageView } from "./page_view.js";

const MAX_SUGGESTIONS = 8;

export function CatalogView({ state, send, isBusy }) {
  const editor = useRef(null);
  const [suggestions, setSuggestions] = useState([]);
  const names = state.sources.flatMap((source) => [source.name, ...source.columns.map((column) => column.name)]);

  const wordBefore = () => editor.current.value.slice(0, editor.current.selectionStart).match(/[\w.]*$/)[0];
  function suggest() {
    const word = wordBefore().toLowerCase();
    const fits = (name) => name.toLowerCase().startsWith(word) || name.toLowerCase().includes(`.${word}`);
    setSuggestions(word ? [...new Set(names)].filter(fits).slice(0, MAX_SUGGESTIONS) : []);
  }
  function insert(name) {
    const { selectionStart, value } = editor.current;
    editor.current.setRangeText(name, selectionStart - wordBefore().length, selectionStart, "end");
    if (value !== editor.current.value) setSuggestions([]);
    editor.current.focus();
  }
  function onKey(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run("run");
    } else if (event.key === "Tab" && suggestions.length && !event.shiftKey) {
      event.preventDefault();
      insert(suggestions[0]);
    } else if (event.key === "Escape") setSuggestions([]);
  }
  const run = (action) => {
    setSuggestions([]);
    send(action, { query: editor.current.value });
  };
  return html`
    <nav class="sources scroll" aria-label="Sources">
      ${state.sources.map((source) => html`
        <details key=${source.name} open=${state.sources.length === 1}>
          <summary>${source.name} <span class="quiet">${source.error ?? `${source.columns.length} columns`}</span></summary>
          <ul>${source.columns.map((column) => html`
            <li key=${column.name} style=${{ paddingLeft: `${(column.name.split(".").length - 1) * 12}px` }}>
              <button title=${column.name} onClick=${() => insert(column.name)}><span class="around">${column.name.match(/^.*\./)?.[0]}</span>${column.name.split(".").at(-1)}</button>
              <span class="type">${column.type.toLowerCase()}</span></li>`)}
          </ul>
        </details>`)}
    </nav>
    <section class="query" aria-label="Query" aria-busy=${isBusy}>
      <textarea ref=${editor} aria-label="SQL" rows="6" spellcheck=${false} placeholder=${`SELECT * FROM ${state.sources[0]?.name ?? "a source"} LIMIT 10`}
        onInput=${suggest} onKeyDown=${onKey}>${state.query}</textarea>
      <div class="bar">
        <button class="primary" onClick=${() => run("run")}>Run</button>
        <button onClick=${() => run("explain")}>Plan</button>
        <span class="quiet grow">Ctrl+Enter runs, Tab completes</span>
        ${suggestions.map((name) => html`<button key=${name} class="suggestion" onClick=${() => insert(name)}>${name}</button>`)}
        <${Menu} label="Save answer" name="Save answer" className="right">${(close) => html`
          <${Entry} label="Table (.csv, .parquet, .duckdb …)" value="answer.csv" button="Save table"
            onEnter=${(file) => close() || send("export", { file })} />`}<//>
      </div>
      ${state.plan && html`<pre class="plan" aria-label="Plan">${state.plan}</pre>`}
      ${state.answer ? html`<${AnswerTable} answer=${state.answer} where=${state.where} send=${send} />`
        : html`<p class="nothing quiet">The answer comes here. A click on a column inserts its name; <em>Plan</em> says which pages a query would fetch.</p>`}
    </section>
    ${state.where && state.where.page !== null && html`<${Origin} where=${state.where} send=${send} />`}`;
}

// The page that a value comes from, with its node lit; of a value that is made of several, one after the other.
function Origin({ where, send }) {
  const { row, column, at, count, note } = where;
  const marks = where.nodes.map(({ node, place }) => ({ id: node, place, colour: colourOf(0) }));
  const go = (step) => send("where", { row, column, at: (at + count + step) % count });
  return html`
    <section class="origin" aria-label="Where the value comes from">
      <div class="bar">
        <span class="grow ellipsis" title=${where.node}>${note || where.node}</span>
        ${count > 1 && html`
          <button onClick=${() => go(-1)} aria-label="Previous place">‹</button>
          <span class="quiet">${at + 1} of ${count}</span>
          <button onClick=${() => go(1)} aria-label="Next place">›</button>`}
        <button onClick=${() => send("close")}>Close page</button>
      </div>
      <${PageView} key=${where.page} number=${where.page} title=${where.address} marks=${marks} active=${where.node}
        onHover=${() => {}} onPick=${() => {}} hint="" />
    </section>`;
}

function AnswerTable({ answer, where, send }) {
  const onKey = (event, row, column) => {
    const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    if (event.key === "Enter" || event.key === " ") send("where", { row, column });
    else if (event.key in steps) {
      const [down, right] = steps[event.key];
      document.getElementById(`cell-${row + down}-${column + right}`)?.focus();
    } else return;
    event.preventDefault();
  };
  const isShown = (row, column) => where?.row === row && where?.column === column;
  return html`
    ${answer.failures.map((failure) => html`<p class="message error">${failure}</p>`)}
    <p class="hint quiet">Click a value, or press Enter on it, to see where it comes from.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Answer">
      <table>
        <thead><tr>${answer.columns.map((name) => html`<th scope="col" key=${name}>${name}</th>`)}</tr></thead>
        <tbody>${answer.rows.map((row, place) => html`
          <tr key=${place}>${row.map((text, column) => html`
            <td key=${column} id=${`cell-${place}-${column}`} title=${text} class=${isShown(place, column) ? "value active" : "value"}
              tabindex=${place === 0 && column === 0 ? 0 : -1} onClick=${() => send("where", { row: place, column })}
              onKeyDown=${(event) => onKey(event, place, column)}>${text}</td>`)}</tr>`)}</tbody>
      </table>
      ${answer.count > answer.rows.length && html`<p class="quiet">the first ${answer.rows.length} of ${answer.count} rows; save the answer to have all</p>`}
    </div>`;
}
