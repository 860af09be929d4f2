import { AppError } from '@vigie/contracts/errors';
import { type SaxesTag, SaxesParser } from 'saxes';

const elements = new Set(
  `svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan
   linearGradient radialGradient stop clipPath mask pattern filter feGaussianBlur feOffset feBlend feColorMatrix
   feComposite feFlood feMerge feMergeNode feDropShadow`.split(/\s+/),
);

const attributes = new Set(
  `id class x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points width height viewBox preserveAspectRatio transform
   fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset opacity color display visibility clip-path clip-rule mask offset stop-color
   stop-opacity gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
   clipPathUnits maskUnits maskContentUnits filter filterUnits in in2 result stdDeviation flood-color flood-opacity
   values type operator k1 k2 k3 k4 mode font-family font-size font-weight font-style text-anchor letter-spacing
   dominant-baseline paint-order vector-effect href xlink:href version`.split(/\s+/),
);

const mostElements = 5_000;

/** Only what draws is kept, and nothing that leads out of the file: no script, style, event, link or foreign content. */
export function sanitiseSvg(text: string): string {
  const parser = new SaxesParser({ fragment: false });
  const open: string[] = [];
  const out: string[] = [];
  let skipping = 0;
  let count = 0;
  parser.on('error', (error) => {
    throw error;
  });
  // Entities can be declared only there.
  parser.on('doctype', () => {
    throw new AppError('invalid', 'Ce logo est refusé\u00a0: un SVG ne peut pas porter de DOCTYPE.');
  });
  parser.on('opentag', (tag) => {
    count += 1;
    if (count > mostElements) throw new AppError('invalid', 'Ce logo est refusé\u00a0: ce SVG est trop complexe.');
    if (open.length === 0 && out.length === 0 && tag.name !== 'svg') throw new Error('not an SVG');
    open.push(tag.name);
    if (skipping > 0 || !elements.has(tag.name)) skipping += 1;
    else out.push(openTag(tag, out.length === 0));
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (skipping > 0) skipping -= 1;
    else out.push(`</${name}>`);
  });
  parser.on('text', (value) => {
    if (skipping === 0 && open.length > 0) out.push(escape(value));
  });
  parser.write(text).close();
  if (out.length === 0) throw new Error('not an SVG');
  return out.join('');
}

function openTag({ name, attributes: given }: SaxesTag, isRoot: boolean): string {
  const plain = Object.entries(given).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  const kept = plain.filter(([key, value]) => attributes.has(key) && isHarmless(key, value));
  const spaces = isRoot ? ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  return `<${name}${spaces}${kept.map(([key, value]) => ` ${key}="${escape(value)}"`).join('')}>`;
}

/** A reference may only lead into the same file. */
function isHarmless(key: string, value: string): boolean {
  if (key.endsWith('href')) return /^#[\w.:-]+$/.test(value.trim());
  const withoutInner = value.replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/g, '');
  return !/url\s*\(|[\\]|javascript:|data:|@import|expression\s*\(/i.test(withoutInner);
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');
