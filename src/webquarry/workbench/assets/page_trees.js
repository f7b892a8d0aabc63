// The elements of a page by their numbers, with their boxes on screen: in a frame, or on a picture.  Both kinds of
// trees answer the same questions; points and boxes are in CSS pixels of the page, from the corner of what is visible.

const NEAR = 2; // CSS pixels beside a text that are still of it

// All elements in document order, with those of templates, which a document counts too.
export function listElements(root) {
  return [...root.querySelectorAll("*")].flatMap((element) =>
    element.localName === "template" && element.content?.querySelectorAll
      ? [element, ...listElements(element.content)]
      : [element],
  );
}

export const outline = (boxes) => ({
  left: Math.min(...boxes.map((box) => box.left)),
  right: Math.max(...boxes.map((box) => box.right)),
  top: Math.min(...boxes.map((box) => box.top)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});

const isIn = (box, x, y) => box.left - NEAR <= x && x <= box.right + NEAR && box.top - NEAR <= y && y <= box.bottom + NEAR;

class Tree {
  // the innermost mark at a point: the one whose boxes, or else whose outline, is there; or else any of its element
  markAt(byElement, lineage, x, y, isExact) {
    for (const number of lineage) {
      const marks = byElement.get(number) ?? [];
      const boxes = marks.map((mark) => this.boxes(mark.place));
      const found = [
        boxes.findIndex((each) => each.some((box) => isIn(box, x, y))),
        boxes.findIndex((each) => each.length && isIn(outline(each), x, y)),
        isExact ? -1 : 0,
      ];
      const at = found.find((each) => each >= 0);
      if (at !== undefined && marks[at]) return marks[at];
    }
    return undefined;
  }
}

export class FrameTree extends Tree {
  constructor(inside, elements) {
    super();
    this.inside = inside;
    this.view = inside.defaultView;
    this.elements = elements;
    this.numbers = new Map(elements.map((element, number) => [element, number]));
  }

  get position() {
    return `${this.view.scrollX} ${this.view.scrollY} ${this.inside.documentElement?.scrollHeight}`;
  }

  get height() {
    return this.view.innerHeight;
  }

  scrollBy(left, top) {
    this.view.scrollBy({ left, top, behavior: "instant" });
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

  text(number) {
    return (this.elements[number]?.innerText ?? "").replace(/\s+/g, " ").trim();
  }

  textBetween([left, top], [right, bottom]) {
    const [start, stop] = [this.inside.caretRangeFromPoint(left, top), this.inside.caretRangeFromPoint(right, bottom)];
    if (!start || !stop) return "";
    const range = this.inside.createRange();
    const isForward = start.compareBoundaryPoints(Range.START_TO_START, stop) <= 0;
    const [first, last] = isForward ? [start, stop] : [stop, start];
    range.setStart(first.startContainer, first.startOffset);
    range.setEnd(last.startContainer, last.startOffset);
    return range.toString().replace(/\s+/g, " ").trim();
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

export class PictureTree extends Tree {
  constructor({ elements, texts }, pane, scale) {
    super();
    this.elements = elements; // [x, y, width, height, number of the parent]
    this.texts = new Map(texts.map(([number, child, box]) => [`${number} ${child}`, box]));
    this.lines = Map.groupBy(texts, ([number]) => number);
    this.pane = pane;
    this.scale = scale;
  }

  get position() {
    return `${this.pane.scrollLeft} ${this.pane.scrollTop}`;
  }

  get height() {
    return this.pane.clientHeight / this.scale;
  }

  scrollBy(left, top) {
    this.pane.scrollBy({ left: left * this.scale, top: top * this.scale, behavior: "instant" });
  }

  // the smallest element at a point; of equals the innermost, which comes last
  numberAt(x, y) {
    let [found, smallest] = [-1, Infinity];
    this.elements.forEach(([, , width, height], number) => {
      const [box] = this.boxes([number]);
      if (width * height > 0 && width * height <= smallest && isIn(box, x, y)) [found, smallest] = [number, width * height];
    });
    return found;
  }

  lineage(number) {
    const found = [];
    for (let each = number; each >= 0; each = this.elements[each][4]) found.push(each);
    return found;
  }

  text(number) {
    const isInside = (each) => this.lineage(each).includes(number);
    const lines = [...this.lines.entries()].filter(([each]) => isInside(each)).flatMap(([, texts]) => texts);
    return lines.map(([, , , text]) => text).join(" ").trim();
  }

  textBetween() {
    return ""; // a picture has no letters
  }

  boxes([number, child]) {
    const found = (child === undefined ? null : this.texts.get(`${number} ${child}`)) ?? this.elements[number];
    if (!found) return [];
    const [left, top] = [found[0] - this.pane.scrollLeft / this.scale, found[1] - this.pane.scrollTop / this.scale];
    return [{ left, top, width: found[2], height: found[3], right: left + found[2], bottom: top + found[3] }];
  }
}
