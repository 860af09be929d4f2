import type { SaxesTag } from 'saxes';

export type Attribute = readonly [key: string, value: string];

export type SvgElement = {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly children: (SvgElement | string)[];
};

/** Patterns, filters, markers and dashes are left out: each multiplies drawing work by numbers from the file. */
const allowedElements = new Set(
  `svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan
   linearGradient radialGradient stop clipPath mask`.split(/\s+/),
);

const allowedAttributes = new Set(
  `id class x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points width height viewBox preserveAspectRatio transform
   fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   opacity color display visibility clip-path clip-rule mask offset stop-color stop-opacity gradientUnits
   gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits font-family font-size font-weight
   font-style text-anchor letter-spacing dominant-baseline paint-order vector-effect href xlink:href
   version`.split(/\s+/),
);

const allowedFunctions = new Set('rgb rgba hsl hsla matrix translate scale rotate skewX skewY'.split(' '));

// Drawing programs name gradients in the language of their user.
const innerReference = /^[ \t\r\n]*#[\p{L}\p{M}\p{N}_.:-]+[ \t\r\n]*$/u;
const innerUrl = /(?<![^\s,;])url\([ \t\r\n]*(["']?)#(?<id>[\p{L}\p{M}\p{N}_.:-]+)\1[ \t\r\n]*\)/gu;
const number = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
const maxNumber = 100_000_000;
/** Attributes whose digits are not numbers. */
const texts = new Set(['id', 'class', 'href', 'xlink:href', 'font-family']);

export type ClassStyles = (classes: string) => readonly Attribute[];

/**
 * Returns the element with its allowed attributes and the styles of its classes, or undefined when it must be dropped.
 */
export function sanitiseElement({ name, attributes: raw }: SaxesTag, stylesOf: ClassStyles): SvgElement | undefined {
  if (!allowedElements.has(name)) return undefined;
  const entries = Object.entries(raw).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  const byKey = new Map<string, string>(entries.filter(isAllowed));
  // A style wins over a class, and a class over attributes, as in a browser.
  const styles = [...stylesOf(byKey.get('class') ?? ''), ...declarationsOf(new Map(entries).get('style') ?? '')];
  return { name, attributes: [...new Map([...byKey, ...styles])], children: [] };
}

/** Turns a style into attributes: Inkscape and others write colours as styles. */
export function declarationsOf(style: string): Attribute[] {
  const all = style.split(';').flatMap((declaration): Attribute[] => {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:([^]*)$/.exec(declaration) ?? [];
    return texts.has(key) && key !== 'font-family' ? [] : [[key, value.replace(/!\s*important\s*$/i, '').trim()]];
  });
  return all.filter(isAllowed);
}

const isAllowed = ([key, value]: Attribute): boolean => allowedAttributes.has(key) && isSafeValue(key, value);

/** Real drawings stay far below the limit; larger numbers only cost drawing time. */
export const hasHugeNumber = ({ attributes }: SvgElement): boolean =>
  attributes.some(([key, value]) => {
    if (texts.has(key)) return false;
    const numbers = value
      .replaceAll(innerUrl, '')
      .replaceAll(/#[\da-f]+/gi, '')
      .match(number);
    return numbers?.some((text) => Number(text) > maxNumber);
  });

export const referencesOf = ({ attributes }: SvgElement): string[] =>
  attributes.flatMap(([key, value]) =>
    key.endsWith('href')
      ? [value.trim().slice(1)]
      : [...value.matchAll(innerUrl)].flatMap(({ groups }) => groups?.['id'] ?? []),
  );

/**
 * A reference may only lead into the same file. CSS keeps gaining functions that fetch (`url`, `src`, `image`,
 * `image-set`), so only functions known not to fetch are allowed.
 */
function isSafeValue(key: string, value: string): boolean {
  if (key.endsWith('href')) return innerReference.test(value);
  // The pattern looks back from each parenthesis: looking forwards would take quadratic time on a long path.
  const names = [...value.replaceAll(innerUrl, ' ').matchAll(/\((?<=([^\s(),;]*)\s*\()/g)].map(([, name = '']) => name);
  return !value.includes('\\') && names.every((name) => allowedFunctions.has(name));
}

export const writeSvg = (root: SvgElement): string =>
  write(root, ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"');

function write({ name, attributes, children }: SvgElement, namespaces = ''): string {
  const start = `${name}${namespaces}${attributes.map(([key, value]) => ` ${key}="${escapeValue(value)}"`).join('')}`;
  if (children.length === 0) return `<${start}/>`;
  const inside = children.map((child) => (typeof child === 'string' ? escapeText(child) : write(child)));
  return `<${start}>${inside.join('')}</${name}>`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) => text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? '');
const escapeValue = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');
