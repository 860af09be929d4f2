import type { SaxesTag } from 'saxes';

type Attribute = readonly [key: string, value: string];

export type SvgElement = {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly children: (SvgElement | string)[];
};

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

/** The element with what may stay of its attributes, or nothing. */
export function keepElement({ name, attributes: given }: SaxesTag): SvgElement | undefined {
  if (!elements.has(name)) return undefined;
  const plain = Object.entries(given).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  const kept = plain.filter(([key, value]) => attributes.has(key) && isHarmless(key, value));
  return { name, attributes: kept, children: [] };
}

/** A reference may only lead into the same file. */
function isHarmless(key: string, value: string): boolean {
  if (key.endsWith('href')) return /^#[\w.:-]+$/.test(value.trim());
  const withoutInner = value.replaceAll(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/g, '');
  return !/url\s*\(|[\\]|javascript:|data:|@import|expression\s*\(/i.test(withoutInner);
}

export const writeSvg = (root: SvgElement): string =>
  write(root, ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"');

function write({ name, attributes: kept, children }: SvgElement, spaces = ''): string {
  const start = `${name}${spaces}${kept.map(([key, value]) => ` ${key}="${escapeValue(value)}"`).join('')}`;
  if (children.length === 0) return `<${start}/>`;
  const inside = children.map((child) => (typeof child === 'string' ? escapeText(child) : write(child)));
  return `<${start}>${inside.join('')}</${name}>`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) => text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? '');
const escapeValue = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');
