// The curves of deletion: precision, recall and F1 by the number of values that are deleted, the oddest first.

import { html } from "./vendor/preact-htm.js";

const [WIDTH, HEIGHT] = [520, 190]; // CSS pixels, of the drawing
const [LEFT, RIGHT, TOP, BOTTOM] = [36, 62, 14, 34];
const LABEL_HEIGHT = 13;
const LOOKS = { precision: "first", recall: "second", F1: "third" };

export function Curves({ curves }) {
  const { points, measures, stops } = curves;
  const last = points.at(-1) || 1;
  const lowest = Math.min(...Object.values(measures).flat());
  const floor = Math.floor(lowest * 10) / 10;
  const x = (deleted) => LEFT + (deleted / last) * (WIDTH - LEFT - RIGHT);
  const y = (share) => HEIGHT - BOTTOM - ((share - floor) / (1 - floor || 1)) * (HEIGHT - TOP - BOTTOM);
  const at = (deleted) => points.indexOf(deleted);
  const named = Map.groupBy(Object.entries(stops), ([, deleted]) => deleted);
  const said = [...named].map(([deleted, names]) =>
    `${names.map(([name]) => name).join(" and ")}: ${deleted} deleted, ${Object.entries(measures).map(([each, values]) => `${each} ${values[at(deleted)].toFixed(3)}`).join(", ")}`);
  return html`
    <figure class="curves">
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`Precision, recall and F1 by values deleted. ${said.join(". ")}`}>
        ${[floor, (floor + 1) / 2, 1].map((share) => html`
          <line key=${share} class="grid" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(share)} y2=${y(share)} />
          <text key=${`t${share}`} x=${LEFT - 6} y=${y(share) + 4} text-anchor="end">${share.toFixed(2)}</text>`)}
        ${[...named].map(([deleted, names], number) => html`
          <line key=${deleted} class="stop" x1=${x(deleted)} x2=${x(deleted)} y1=${TOP} y2=${HEIGHT - BOTTOM} />
          <text key=${`t${deleted}`} x=${x(deleted) + 3} y=${HEIGHT - BOTTOM - 5 - LABEL_HEIGHT * number}>${
            names.map(([name]) => name).join(", ")}</text>`)}
        ${Object.entries(measures).map(([name, values], number) => html`
          <polyline key=${name} class=${LOOKS[name]} points=${points.map((deleted, number) => `${x(deleted)},${y(values[number])}`).join(" ")} />
          <text key=${`t${name}`} class=${LOOKS[name]} x=${WIDTH - RIGHT + 8} y=${TOP + 4 + LABEL_HEIGHT * (number + 1)}>${name}</text>`)}
        <text x=${LEFT} y=${HEIGHT - 18} text-anchor="middle">0</text>
        <text x=${WIDTH - RIGHT} y=${HEIGHT - 18} text-anchor="middle">${last}</text>
        <text x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 4} text-anchor="middle">values deleted, the oddest first</text>
      </svg>
      <figcaption class="quiet">${said.join(" · ")}</figcaption>
    </figure>`;
}
