// The page on the left: a frame that can do nothing, under a layer of ours that takes all pointer events.
// Marks are drawn on the layer, where the elements of the frame are; a mark is {id, place, colour, name}, and a place
// is [number of an element, number of its child if it is a text].

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { shorten } from "./addresses.js";
import { getTags } from "./server.js";

const FRAME_WIDTH = 1366; // CSS pixels, as pages are rendered
const SCROLL_STEP = 80;
const NEAR = 2; // CSS pixels beside a text that are still of it
const HINT = "click a thing to find it in the table; ";

export function PageView({ number, title, marks, active, isExact, onHover, onPick, hint = HINT }) {
  const pane = useRef(null);
  const frame = useRef(null);
  const canvas = useRef(null);
  const layer = useRef(null);
  const tree = useRef(null);
  const [isPicture, setPicture] = useState(false);
  const [isReady, setReady] = useState(false);
  const [zoom, setZoom] = useState("fit");
  const [size, setSize] = useState({ width: FRAME_WIDTH, height: FRAME_WIDTH });

  useLayoutEffect(() => {
    const measure = () => setSize({ width: pane.current.clientWidth, height: pane.current.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(pane.current);
    return () => watch.disconnect();
  }, []);

  const byElement = useMemo(() => Map.groupBy(marks, (mark) => mark.place[0]), [marks]);
  const scale = zoom === "fit" ? Math.min(1, size.width / FRAME_WIDTH) : Number(zoom);

  async function onLoad() {
    const inside = frame.current?.contentDocument;
    if (!inside) return;
    const elements = listElements(inside);
    const same = elements.map((each) => each.localName).join(" ") === (await getTags(number));
    stopMotion(inside);
    tree.current = same ? new Tree(inside, elements) : null;
    setPicture(!same);
    setReady(true);
  }

  function draw() {
    const paper = canvas.current;
    if (!paper) return;
    const pen = paper.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    if (paper.width !== Math.round(size.width * ratio)) paper.width = Math.round(size.width * ratio);
    if (paper.height !== Math.round(size.height * ratio)) paper.height = Math.round(size.height * ratio);
    pen.setTransform(ratio * scale, 0, 0, ratio * scale, 0, 0);
    pen.clearRect(0, 0, size.width / scale, size.height / scale);
    if (!tree.current) return;
    for (const mark of marks) drawMark(pen, tree.current, mark, mark.id === active, scale, size);
  }

  useEffect(draw);
  useEffect(() => {
    // the frame may be scrolled by its own bar, which tells nobody
    let last = "";
    let request = 0;
    const look = () => {
      const view = frame.current?.contentWindow;
      const now = view ? `${view.scrollX} ${view.scrollY} ${view.document.documentElement?.scrollHeight}` : "";
      if (now !== last) {
        last = now;
        draw();
      }
      request = requestAnimationFrame(look);
    };
    request = requestAnimationFrame(look);
    return () => cancelAnimationFrame(request);
  });

  useEffect(() => {
    const mark = marks.find((each) => each.id === active);
    if (mark && tree.current) reveal(frame.current.contentWindow, tree.current, mark);
  }, [active, isReady]);

  // The mark under the pointer, and the numbers of the elements there; only of what is inside a text if `isExact`.
  function find(event) {
    if (!tree.current) return { known: null, lineage: [] };
    const bounds = layer.current.getBoundingClientRect();
    const [x, y] = [(event.clientX - bounds.left) / scale, (event.clientY - bounds.top) / scale];
    const lineage = tree.current.lineage(tree.current.numberAt(x, y));
    return { known: tree.current.markAt(byElement, lineage, x, y, isExact)?.id ?? null, lineage };
  }

  function pick(event) {
    const { known, lineage } = find(event);
    onPick(known, lineage, tree.current, event.shiftKey);
  }

  function scroll(event) {
    event.preventDefault();
    frame.current.contentWindow.scrollBy(event.deltaX / scale, event.deltaY / scale);
    draw();
  }

  function onKey(event) {
    const steps = { ArrowDown: SCROLL_STEP, ArrowUp: -SCROLL_STEP, PageDown: size.height / scale, PageUp: -size.height / scale };
    if (event.key in steps) {
      event.preventDefault();
      frame.current.contentWindow.scrollBy(0, steps[event.key]);
      draw();
    }
  }

  useEffect(() => {
    const target = layer.current;
    target.addEventListener("wheel", scroll, { passive: false });
    return () => target.removeEventListener("wheel", scroll);
  });

  const inner = { width: `${size.width / scale}px`, height: `${size.height / scale}px`, transform: `scale(${scale})` };
  return html`
    <section class="page" aria-label="Page" aria-busy=${!isReady}>
      <div class="bar">
        <span class="grow ellipsis" title=${title}>${shorten(title)}</span>
        <label>Zoom
          <select value=${zoom} onChange=${(event) => setZoom(event.target.value)}>
            <option value="fit">fit</option><option value="0.75">75 %</option><option value="1">100 %</option>
          </select>
        </label>
      </div>
      <div class="pane" ref=${pane}>
        ${isPicture
          ? html`<img class="picture" alt="Picture of the page" src=${`/pictures/${number}`} />`
          : html`<iframe ref=${frame} class="frame" title="The page, as it was found" style=${inner}
              sandbox="allow-same-origin" src=${`/frames/${number}`} onLoad=${onLoad} tabindex="-1"></iframe>`}
        <canvas ref=${canvas} class="marks" aria-hidden="true"></canvas>
        <div ref=${layer} class="layer" tabindex="0" role="application"
          aria-label=${`Page: ${hint}arrow keys scroll`}
          onMouseMove=${(event) => onHover(find(event).known)} onMouseLeave=${() => onHover(null)} onClick=${pick}
          onKeyDown=${onKey}></div>
      </div>
    </section>`;
}

// All elements in document order, with those of templates, which a document counts too.
function listElements(root) {
  return [...root.querySelectorAll("*")].flatMap((element) =>
    element.localName === "template" && element.content?.querySelectorAll
      ? [element, ...listElements(element.content)]
      : [element],
  );
}

// The elements of the frame by their numbers.
class Tree {
  constructor(inside, elements) {
    this.inside = inside;
    this.elements = elements;
    this.numbers = new Map(elements.map((element, number) => [element, number]));
  }

  numberAt(x, y) {
    return this.numbers.get(this.inside.elementFromPoint(x, y)) ?? -1;
  }

  // the numbers of an element and all around it, innermost first
  lineage(number) {
    const found = [];
    for (let each = this.elements[number]; each; each = each.parentElement) found.push(this.numbers.get(each));
    return found;
  }

  // the innermost mark at a point: the one whose boxes, or else whose outline, is there; or else any of its element
  markAt(byElement, lineage, x, y, isExact) {
    const isIn = (box) => box.left - NEAR <= x && x <= box.right + NEAR && box.top - NEAR <= y && y <= box.bottom + NEAR;
    for (const number of lineage) {
      const marks = byElement.get(number) ?? [];
      const boxes = marks.map((mark) => this.boxes(mark.place));
      const found = [boxes.findIndex((each) => each.some(isIn)), boxes.findIndex((each) => each.length && isIn(outline(each))), isExact ? -1 : 0];
      const at = found.find((each) => each >= 0);
      if (at !== undefined && marks[at]) return marks[at];
    }
    return undefined;
  }

  text(number) {
    return (this.elements[number]?.innerText ?? "").replace(/\s+/g, " ").trim();
  }

  boxes([number, child]) {
    const element = this.elements[number];
    if (!element) return [];
    if (child === undefined) return [...element.getClientRects()];
    const node = element.childNodes[child];
    if (!node) return [...element.getClientRects()];
    const range = this.inside.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  }
}

const outline = (boxes) => ({
  left: Math.min(...boxes.map((box) => box.left)),
  right: Math.max(...boxes.map((box) => box.right)),
  top: Math.min(...boxes.map((box) => box.top)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});

function drawMark(pen, tree, mark, isActive, scale, size) {
  for (const box of tree.boxes(mark.place)) {
    if (box.bottom < 0 || box.top > size.height / scale || box.width < 1) continue;
    pen.globalAlpha = isActive ? 0.35 : 0.16;
    pen.fillStyle = mark.colour;
    pen.fillRect(box.left - 1, box.top - 1, box.width + 2, box.height + 2);
    pen.globalAlpha = isActive ? 1 : 0.5;
    pen.strokeStyle = mark.colour;
    pen.lineWidth = (isActive ? 3 : 1) / scale;
    pen.strokeRect(box.left - 1, box.top - 1, box.width + 2, box.height + 2);
  }
  pen.globalAlpha = 1;
}

function reveal(view, tree, mark) {
  const [box] = tree.boxes(mark.place);
  if (box && (box.top < 0 || box.bottom > view.innerHeight)) {
    view.scrollBy({ top: box.top - view.innerHeight / 3, behavior: "instant" });
  }
}

// A page is shown as it is after its animations, as it was rendered.
function stopMotion(inside) {
  const sheet = new inside.defaultView.CSSStyleSheet();
  sheet.replaceSync("*, ::before, ::after { animation-duration: 1ms !important; animation-delay: 0s !important; transition: none !important; scroll-behavior: auto !important }");
  inside.adoptedStyleSheets = [...inside.adoptedStyleSheets, sheet];
}
