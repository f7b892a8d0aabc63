// The table of a listing: a column for each field, a row for each record; a column head opens its corrections.

import { html, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import { colourOf } from "./colours.js";
import { Entry, Menu, NameAndType, Split } from "./menu.js";
import { shorten } from "./addresses.js";

const ROWS_SHOWN = 100;
const isAddress = (type) => type === "link" || type.startsWith("image");

// The values of an extraction as rows of cells: {text, place, typed} by field name.
export function toRows(state) {
  const rows = [];
  for (const value of state.values) {
    const [, row, name] = value.path;
    rows[row] ??= {};
    const cell = (rows[row][name] ??= { ...value, id: `${row}/${name}`, row, name });
    if (cell.path !== value.path) cell.text += `\n${value.text}`;
  }
  return rows;
}

export function tableMarks(state) {
  const colours = new Map(state.fields.map((field, number) => [field.path, colourOf(number)]));
  return toRows(state).flatMap((row) =>
    Object.values(row)
      .filter((cell) => cell.place)
      .map((cell) => ({ id: cell.id, place: cell.place, colour: colours.get(cell.name) ?? "#777" })),
  );
}

export function TableView({ state, active, setActive, send, show, picked }) {
  const [first, setFirst] = useState(0);
  const rows = toRows(state);
  const known = useRef(null);
  const scroll = useRef(null);
  useLayoutEffect(() => {
    // a column that is new may be out of sight, and another list begins at its first column
    const names = state.fields.map((field) => field.name);
    const before = known.current ?? names;
    const fresh = names.filter((name) => !before.includes(name));
    const added = before.length === names.length - 1 && fresh[0];
    known.current = names;
    if (fresh.length > 1 || names.length < before.length - 1) scroll.current.scrollTo(0, 0);
    if (added) document.getElementById(`cell-${first}-${names.indexOf(added)}`)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [state.fields]);
  const shown = rows.slice(first, first + ROWS_SHOWN);
  const move = (event, row, column) => {
    const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    document.getElementById(`cell-${row + step[0]}-${column + step[1]}`)?.focus();
  };
  return html`
    <div class="bar">
      <span class="quiet grow">${rows.length} ${rows.length === 1 ? "record" : "records"}, ${state.fields.length} ${state.fields.length === 1 ? "column" : "columns"}</span>
      <button onClick=${() => send("next_list")}>Next list</button>
      ${state.kind === "records" && html`<${Menu} label="Add record" name="Add record" className="right">${(close) => html`
        <${Entry} label="Words of the record" value=${picked?.words} button="Add record" onEnter=${(example) => {
          close();
          send("add", { example, record: true });
        }} />`}<//>`}
      <button onClick=${() => send("next_page").then((answer) => answer?.said && show(answer.state.pages.length - 1, answer.said))}>Follow pager</button>
    </div>
    <div class="scroll" ref=${scroll}>
      ${rows.length === 0 && html`<p class="nothing quiet">No records yet. Click on a thing of the list that you want, or write some of its words below.</p>`}
      <table class="records" aria-label="Records" hidden=${state.fields.length === 0}>
        <thead>
          <tr>
            <th scope="col"><span class="quiet">#</span></th>
            ${state.fields.map((field, number) => html`
              <th scope="col" key=${field.name} style=${{ borderTopColor: colourOf(number) }}>
                <${ColumnMenu} field=${field} number=${number} state=${state} send=${send} picked=${picked}
                  text=${rows.find((row) => row?.[field.path])?.[field.path].text} />
              </th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map((row, place) => html`
            <tr key=${first + place}>
              <th scope="row">${state.kind === "records" ? html`<${RowMenu} row=${first + place} rows=${rows} send=${send} />` : html`<span class="quiet">${first + place + 1}</span>`}</th>
              ${state.fields.map((field, number) => {
                const cell = row?.[field.path];
                const id = cell?.id;
                return html`
                  <td id=${`cell-${first + place}-${number}`} tabindex=${place === 0 && number === 0 ? 0 : -1} dir="auto"
                    class=${id && id === active ? "active" : ""} title=${cell?.text}
                    onMouseEnter=${() => id && setActive(id)} onFocus=${() => id && setActive(id)}
                    onKeyDown=${(event) => move(event, first + place, number)}>${cell && isAddress(field.type) ? shorten(cell.text) : cell?.text ?? ""}</td>`;
              })}
            </tr>`)}
        </tbody>
      </table>
    </div>
    ${rows.length > ROWS_SHOWN && html`
      <div class="bar">
        <button disabled=${first === 0} onClick=${() => setFirst(first - ROWS_SHOWN)}>Previous rows</button>
        <span class="quiet">${first + 1} to ${Math.min(first + ROWS_SHOWN, rows.length)} of ${rows.length}</span>
        <button disabled=${first + ROWS_SHOWN >= rows.length} onClick=${() => setFirst(first + ROWS_SHOWN)}>Next rows</button>
      </div>`}
    <${FromPage} state=${state} picked=${picked} send=${send} />`;
}

// What was clicked or selected on the page becomes a column, or its list is taken instead.
function FromPage({ state, picked, send }) {
  const form = useRef(null);
  useLayoutEffect(() => {
    if (!picked) return;
    form.current.elements.example.value = picked.text;
    form.current.elements.name.focus();
  }, [picked]);
  const enter = (event) => {
    event.preventDefault();
    const { example, name } = Object.fromEntries(new FormData(form.current));
    send("add", { example, name }).then((answer) => answer?.said && form.current?.reset());
  };
  const choose = () => {
    const example = form.current.elements.example.value;
    send("choose", { example: picked?.text === example ? picked.words : example });
  };
  return html`
    <form class="bar from-page" ref=${form} onSubmit=${enter}>
      <label class="grow">Text on the page<input name="example" autocomplete="off" placeholder="click it, or write it" /></label>
      ${state.kind === "records" && state.fields.length > 0 && html`
        <label>Column name<input name="name" autocomplete="off" /></label>
        <button>Add column</button>`}
      <button type="button" onClick=${choose}>Take its list</button>
    </form>`;
}

function ColumnMenu({ field, number, state, text, send, picked }) {
  const next = state.fields[number + 1];
  const label = html`<span>${field.name}</span> <span class="type">${field.type}</span>`;
  return html`
    <${Menu} label=${label} name=${`Column ${field.name}`}>${(close) => {
      const run = (action, given) => {
        close();
        send(action, { example: field.name, ...given });
      };
      return html`
        <${NameAndType} field=${field} run=${run} />
        <button disabled=${number === 0} onClick=${() => run("move", { to: state.fields[number - 2]?.name ?? state.name })}>Move left</button>
        <button disabled=${!next} onClick=${() => run("move", { to: next.name })}>Move right</button>
        <button disabled=${!next} onClick=${() => run("merge", { to: next.name })}>Merge with ${next?.name ?? "next"}</button>
        ${!isAddress(field.type) && field.type !== "list" && html`<${Split} text=${text} run=${run} />`}
        ${state.kind === "records" && html`
          <${Entry} label="A value that it misses" value=${picked?.text} button="Teach" onEnter=${(example) => close() || send("add", { example, name: field.name })} />`}
        <button class="danger" onClick=${() => run("drop")}>Drop column</button>`;
    }}<//>`;
}

function RowMenu({ row, rows, send }) {
  return html`
    <${Menu} label=${row + 1} name=${`Record ${row + 1}`}>${(close) => html`
      <button class="danger" onClick=${() => {
        close();
        send("drop", { example: tellingText(rows, row), record: true });
      }}>Not a record</button>`}<//>`;
}

// The first text of a record that is in no other one; addresses are not on the page.
function tellingText(rows, row) {
  const textsOf = (cells) => Object.values(cells ?? {}).map((cell) => cell.text).filter((text) => !/^[a-z]+:\/\//.test(text));
  const others = rows.filter((_, number) => number !== row).flatMap(textsOf).join("\n");
  const own = textsOf(rows[row]);
  return own.find((text) => text.length > 3 && !others.includes(text)) ?? own[0] ?? "";
}
