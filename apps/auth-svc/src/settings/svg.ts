import { SaxesParser } from 'saxes';
import { logoRefusal } from './logo-refusal';
import { hasHugeNumber, sanitiseElement, type SvgElement, writeSvg } from './svg-element';
import { refuseExpansion } from './svg-expansion';
import { readSheet } from './svg-sheet';

const maxElements = 5_000;
/** Browsers draw nested elements by recursion. */
const maxLevels = 100;

/** Keeps only elements that draw and stay within the file: no script, style, event, link or foreign content. */
export function sanitiseSvg(text: string): string {
  const root = parseSvg(text);
  refuseExpansion(root);
  return writeSvg(root);
}

function parseSvg(text: string): SvgElement {
  const parser = new SaxesParser({ fragment: false });
  const roots: SvgElement[] = [];
  // A dropped element is undefined here, so that its children are dropped too.
  const open: (SvgElement | undefined)[] = [];
  const classStyles = readSheet(text);
  let count = 0;
  parser.on('error', (error) => {
    throw error;
  });
  // Entities can be declared only in a DOCTYPE.
  parser.on('doctype', () => {
    throw logoRefusal('un SVG ne peut pas porter de DOCTYPE.');
  });
  parser.on('opentag', (tag) => {
    count += 1;
    if (count > maxElements || open.length === maxLevels) throw logoRefusal('ce SVG est trop complexe.');
    const siblings = open.length === 0 ? roots : open.at(-1)?.children;
    const element = siblings && sanitiseElement(tag, classStyles);
    if (element && hasHugeNumber(element)) throw logoRefusal('ce SVG contient des nombres démesurés.');
    if (element) siblings.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (value) => open.at(-1)?.children.push(value));
  parser.write(text).close();
  const [root] = roots;
  if (root?.name !== 'svg') throw new Error('not an SVG');
  return root;
}
