// The page on the left: a frame that can do nothing, under a layer of ours that takes all pointer events.  Where the
// frame has another tree than the document, as after scripts, a picture of the page with the boxes of its layout.
// Marks are drawn on the layer, where the elements are; a mark is {id, place, colour, name}, and a place is [number of
// an element, number of its child if it is a text].

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { shorten } from "./addresses.js";
import { FrameTree, PictureTree, listElements } from "./page_trees.js";
import { getBoxes, getTags } from "./server.js";

const FRAME_WIDTH = 1366; // CSS pixels, as pages are rendered
const SCROLL_STEP = 80;
const DRAGGED = 6; // CSS pixels that a pointer moves while it selects a text
const HINT = "click a thing to find it in the table; ";

export function PageView({ number, title, marks, active, isExact, onHover, onPick, onSelect, hint = HINT }) {
  const pane = useRef(null);
  const frame = useRef(null);
  const picture = useRef(null);
  const pressed = useRef(null);
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
    tree.current = same ? new FrameTree(inside, elements) : null;
    setPicture(!same);
    setReady(same);
  }

  async function onPictureLoad() {
    tree.current = new PictureTree(await getBoxes(number), picture.current, scale);
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
    tree.current.scale = scale;
    const drawn = new Set(); // several values of one element would make it darker and darker
    for (const mark of marks) {
      const key = `${mark.place} ${mark.colour}`;
      if (mark.id === active || !drawn.has(key)) drawMark(pen, tree.current, mark, mark.id === active, scale, size);
      drawn.add(key);
    }
  }

  useEffect(draw);
  useEffect(() => {
    // the frame may be scrolled by its own bar, which tells nobody
    let last = "";
    let request = 0;
    const look = () => {
      const now = tree.current?.position ?? "";
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
    if (mark && tree.current) reveal(tree.current, mark);
  }, [active, isReady]);

  function locate(event) {
    const bounds = layer.current.getBoundingClientRect();
    return [(event.clientX - bounds.left) / scale, (event.clientY - bounds.top) / scale];
  }

  useEffect(() => {
    // another list may be anywhere on the page
    const isSeen = (mark) => tree.current.boxes(mark.place).some((box) => box.bottom > 0 && box.top < tree.current.height);
    if (tree.current && marks.length && !marks.some(isSeen)) reveal(tree.current, marks[0]);
  }, [marks, isReady]);

  // The mark under the pointer, and the numbers of the elements there; only of what is inside a text if `isExact`.
  function find(event) {
    if (!tree.current) return { known: null, lineage: [] };
    const [x, y] = locate(event);
    const lineage = tree.current.lineage(tree.current.numberAt(x, y));
    const mark = tree.current.markAt(byElement, lineage, x, y, isExact) ?? (isExact ? null : onlyInside(lineage[0]));
    return { known: mark?.id ?? null, lineage };
  }

  // The mark in an element that has no other, as beside a short text in a wide box.
  function onlyInside(number) {
    const inside = marks.filter((mark) => tree.current.lineage(mark.place[0]).includes(number));
    return inside.length === 1 ? inside[0] : null;
  }

  // A click picks what is there; a pointer that was moved while it was pressed has selected a text.
  function pick(event) {
    const [from, to] = [pressed.current ?? locate(event), locate(event)];
    if (onSelect && tree.current && Math.hypot(to[0] - from[0], to[1] - from[1]) * scale > DRAGGED) {
      const text = tree.current.textBetween(from, to);
      if (text) onSelect(text);
      return;
    }
    const { known, lineage } = find(event);
    onPick(known, lineage, tree.current, event.shiftKey);
  }

  function scroll(event) {
    event.preventDefault();
    tree.current?.scrollBy(event.deltaX / scale, event.deltaY / scale);
    draw();
  }

  function onKey(event) {
    const steps = { ArrowDown: SCROLL_STEP, ArrowUp: -SCROLL_STEP, PageDown: size.height / scale, PageUp: -size.height / scale };
    if (event.key in steps) {
      event.preventDefault();
      tree.current?.scrollBy(0, steps[event.key]);
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
          ? html`<div class="picture-pane" ref=${picture}><img class="picture" alt="Picture of the page" src=${`/pictures/${number}`}
              style=${{ width: `${FRAME_WIDTH * scale}px` }} onLoad=${onPictureLoad} onError=${() => setReady(true)} /></div>`
          : html`<iframe ref=${frame} class="frame" title="The page, as it was found" style=${inner}
              sandbox="allow-same-origin" src=${`/frames/${number}`} onLoad=${onLoad} tabindex="-1"></iframe>`}
        <canvas ref=${canvas} class="marks" aria-hidden="true"></canvas>
        <div ref=${layer} class="layer" tabindex="0" role="application"
          aria-label=${`Page: ${hint}arrow keys scroll`}
          onMouseMove=${(event) => onHover(find(event).known)} onMouseLeave=${() => onHover(null)} onClick=${pick}
          onPointerDown=${(event) => (pressed.current = locate(event))} onKeyDown=${onKey}></div>
      </div>
    </section>`;
}

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

function reveal(tree, mark) {
  const [box] = tree.boxes(mark.place);
  if (box && (box.top < 0 || box.bottom > tree.height)) tree.scrollBy(0, box.top - tree.height / 3);
}

// A page is shown as it is after its animations, as it was rendered.
function stopMotion(inside) {
  const sheet = new inside.defaultView.CSSStyleSheet();
  sheet.replaceSync("*, ::before, ::after { animation-duration: 1ms !important; animation-delay: 0s !important; transition: none !important; scroll-behavior: auto !important }");
  inside.adoptedStyleSheets = [...inside.adoptedStyleSheets, sheet];
}
