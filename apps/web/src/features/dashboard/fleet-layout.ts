/** In pixels. */
export type Box = { width: number; height: number; headHeight: number };
export type Head = { x: number; y: number; width: number };
type Size = { width: number; height: number };
export type Layout = {
  /** Of a cell. A wide one has room for a name. */
  size: Size;
  /** The corners of the cells, in the order of the sections. */
  cells: readonly { x: number; y: number }[];
  /** Empty when there is no room for them. */
  heads: readonly Head[];
  /** More than the box when even the smallest cells do not fit. */
  height: number;
};

const square = (side: number): Size => ({ width: side, height: side });
const smallest = square(6);
/** Wide cells are at least this wide, and share the rest of their row. */
const wide: Size = { width: 144, height: 36 };
const sizes: readonly Size[] = [wide, ...[40, 36, 32, 28, 24, 20, 17, 14, 12, 10, 8, 7].map(square), smallest];

/** A head narrower than this does not show a name. */
const minBlock = 112;
const blockGap = 16;
/** Smaller cells are not worth a head, unless the picture scrolls anyway. */
const minBelowHead = 8;
const maxHeadsToScroll = 12;

const gapOf = ({ height }: Size) => (height < 10 ? 1 : height < 20 ? 2 : 4);

/** How many cells stand beside each other in this width, and how large they then are. */
function rowOf(width: number, size: Size) {
  const gap = gapOf(size);
  const across = Math.max(1, Math.floor((width + gap) / (size.width + gap)));
  const filled = Math.floor((width - (across - 1) * gap) / across);
  const cell = size === wide ? { ...size, width: filled } : size;
  return { across, cell, stepX: cell.width + gap, stepY: cell.height + gap, gap };
}

/** Places sections beside and below each other, each under its head, in so many columns. */
function inColumns(counts: readonly number[], { width, headHeight }: Box, size: Size, columns: number): Layout {
  const block = (width - (columns - 1) * blockGap) / columns;
  const { across, cell, stepX, stepY, gap } = rowOf(block, size);
  const cells: { x: number; y: number }[] = [];
  const heads: Head[] = [];
  let [top, bottom] = [0, 0];
  for (const [section, count] of counts.entries()) {
    const column = section % columns;
    if (column === 0 && section > 0) top = bottom + blockGap / 2;
    const left = Math.round(column * (block + blockGap));
    heads.push({ x: left, y: top, width: Math.floor(block) });
    for (let at = 0; at < count; at += 1)
      cells.push({ x: left + (at % across) * stepX, y: top + headHeight + Math.floor(at / across) * stepY });
    bottom = Math.max(bottom, top + headHeight + Math.ceil(count / across) * stepY - gap);
  }
  return { size: cell, cells, heads, height: bottom };
}

/** Places all sections one after the other without heads, a cell apart. */
function inOneFlow(counts: readonly number[], { width }: Box, size: Size): Layout {
  const { across, cell, stepX, stepY, gap } = rowOf(width, size);
  const cells: { x: number; y: number }[] = [];
  let place = 0;
  for (const count of counts) {
    for (let at = 0; at < count; at += 1, place += 1)
      cells.push({ x: (place % across) * stepX, y: Math.floor(place / across) * stepY });
    place += 1;
  }
  return { size: cell, cells, heads: [], height: Math.ceil((place - 1) / across) * stepY - gap };
}

/** Draws the sites of each section as large as the box allows, with heads unless these leave too little room. */
export function layOut(counts: readonly number[], box: Box): Layout {
  const maxColumns = Math.max(1, Math.min(counts.length, Math.floor((box.width + blockGap) / (minBlock + blockGap))));
  const fits = ({ height }: Layout) => height <= box.height;
  for (const size of sizes.filter(({ height }) => height >= minBelowHead)) {
    for (let columns = 1; columns <= maxColumns; columns += 1) {
      const layout = inColumns(counts, box, size, columns);
      if (fits(layout)) return layout;
    }
  }
  const fitting = sizes.map((size) => inOneFlow(counts, box, size)).find(fits);
  if (fitting) return fitting;
  return counts.length <= maxHeadsToScroll ? inColumns(counts, box, smallest, 1) : inOneFlow(counts, box, smallest);
}

type Move = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

const isMove = (key: string): key is Move => /^(?:Arrow(?:Up|Down|Left|Right)|Home|End)$/.test(key);

/** The cell that a key leads to; undefined for other keys. */
export function moveFrom({ cells }: Pick<Layout, 'cells'>, at: number, key: string): number | undefined {
  if (!isMove(key)) return undefined;
  const last = cells.length - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'ArrowRight') return Math.min(last, at + 1);
  return nearestRow(cells, at, key === 'ArrowDown' ? 1 : -1);
}

/** The nearest cell above or below. */
function nearestRow(cells: Layout['cells'], at: number, direction: 1 | -1): number {
  const from = cells[at];
  if (!from) return at;
  let [best, bestCost] = [at, Number.POSITIVE_INFINITY];
  for (const [index, { x, y }] of cells.entries()) {
    const away = (y - from.y) * direction;
    const cost = away + 3 * Math.abs(x - from.x);
    if (away > 0 && cost < bestCost) [best, bestCost] = [index, cost];
  }
  return best;
}

/** The cell at a point, or the nearest one within so many pixels. */
export function cellAt({ cells, size }: Layout, x: number, y: number, tolerance: number): number | undefined {
  let [best, bestCost] = [-1, tolerance];
  for (const [index, cell] of cells.entries()) {
    const dx = Math.max(cell.x - x, 0, x - cell.x - size.width);
    const dy = Math.max(cell.y - y, 0, y - cell.y - size.height);
    const cost = Math.max(dx, dy);
    if (cost < bestCost || (cost === bestCost && best < 0)) [best, bestCost] = [index, cost];
  }
  return best < 0 ? undefined : best;
}
