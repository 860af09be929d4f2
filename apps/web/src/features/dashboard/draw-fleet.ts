import type { CellTone } from './fleet';

type Colors = Readonly<Record<CellTone, { fill: string; edge: string; mark: string }>> & {
  tint: Readonly<Record<CellTone, string>>;
  text: string;
  edge: string;
  font: string;
};
type Cell = { x: number; y: number; width: number; height: number; tone: CellTone; name: string };

/** Smaller marks could not be told apart. */
const minMarked = 12;

/** Reads the tokens of the current theme. */
function readColors(element: Element): Colors {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`);
  const full = (tone: string) => ({ fill: token(`${tone}-dot`), edge: token(`${tone}-dot`), mark: token('surface') });
  const pale = (tone: string) => ({ ...full(tone), fill: token(`${tone}-tint`), mark: token(`${tone}-dot`) });
  return {
    danger: full('danger'),
    warn: full('warn'),
    info: full('info'),
    ok: full('ok'),
    updates: pale('update'),
    neutral: pale('neutral'),
    tint: {
      danger: token('danger-tint'),
      warn: token('warn-tint'),
      info: token('info-tint'),
      ok: token('surface'),
      updates: token('surface'),
      neutral: token('surface'),
    },
    text: token('text'),
    edge: token('border'),
    font: `500 13px ${style.fontFamily}`,
  };
}

/** Each mark in a square of one, so that a state is not told by its colour alone. */
const marks: Partial<Record<CellTone, (path: CanvasRenderingContext2D) => void>> = {
  danger: (path) => {
    path.moveTo(0.3, 0.3);
    path.lineTo(0.7, 0.7);
    path.moveTo(0.7, 0.3);
    path.lineTo(0.3, 0.7);
  },
  warn: (path) => {
    path.moveTo(0.5, 0.22);
    path.lineTo(0.5, 0.58);
    path.moveTo(0.5, 0.74);
    path.lineTo(0.5, 0.76);
  },
  info: (path) => path.arc(0.5, 0.5, 0.22, 0, 1.5 * Math.PI),
  updates: (path) => {
    path.moveTo(0.5, 0.72);
    path.lineTo(0.5, 0.3);
    path.moveTo(0.34, 0.46);
    path.lineTo(0.5, 0.3);
    path.lineTo(0.66, 0.46);
  },
  neutral: (path) => {
    path.moveTo(0.34, 0.5);
    path.lineTo(0.66, 0.5);
  },
};

type Colour = { fill: string; edge: string };

function drawBox(context: CanvasRenderingContext2D, { x, y, width, height }: Cell, { fill, edge }: Colour): void {
  context.fillStyle = fill;
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, height < minMarked ? 1 : 3);
  context.fill();
  context.stroke();
}

function drawSquare(context: CanvasRenderingContext2D, cell: Cell, colors: Colors): void {
  const { x, y, width: side, tone } = cell;
  drawBox(context, cell, colors[tone]);
  const drawMark = marks[tone];
  if (!drawMark || side < minMarked) return;
  context.save();
  context.translate(x, y);
  context.scale(side, side);
  context.beginPath();
  drawMark(context);
  context.restore();
  context.strokeStyle = colors[tone].mark;
  context.lineWidth = Math.max(1.5, side / 14);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke();
}

const inset = 8;
const swatch = 18;

/** A square and the name of the site, cut where the cell ends. */
function drawWide(context: CanvasRenderingContext2D, cell: Cell, colors: Colors): void {
  const { x, y, width, height, tone, name } = cell;
  const { tint, text, edge, font } = colors;
  drawBox(context, cell, { fill: tint[tone], edge: tone === 'ok' || tone === 'updates' ? edge : colors[tone].edge });
  drawSquare(context, { ...cell, x: x + inset, y: y + (height - swatch) / 2, width: swatch, height: swatch }, colors);
  const left = x + 2 * inset + swatch;
  context.save();
  context.beginPath();
  context.rect(left, y, x + width - inset - left, height);
  context.clip();
  context.fillStyle = text;
  context.font = font;
  context.textBaseline = 'middle';
  context.fillText(shorten(context, name, x + width - inset - left), left, y + height / 2 + 0.5);
  context.restore();
}

function shorten(context: CanvasRenderingContext2D, name: string, width: number): string {
  if (context.measureText(name).width <= width) return name;
  let length = name.length - 1;
  while (length > 1 && context.measureText(`${name.slice(0, length)}…`).width > width) length -= 1;
  return `${name.slice(0, length).trimEnd()}…`;
}

export type Drawing = { width: number; height: number; cells: readonly Cell[] };

const colorsOfThemes = new Map<string, Colors>();

function colorsIn(theme: string, element: Element): Colors {
  const colors = colorsOfThemes.get(theme) ?? readColors(element);
  colorsOfThemes.set(theme, colors);
  return colors;
}

/** Draws in the pixels of the screen, which may be smaller than those of the page. */
export function drawFleet(canvas: HTMLCanvasElement, { width, height, cells }: Drawing, theme: string): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const colors = colorsIn(theme, canvas);
  for (const cell of cells) (cell.width > cell.height ? drawWide : drawSquare)(context, cell, colors);
}
