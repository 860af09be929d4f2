import { describe, expect, it } from 'vitest';
import { sanitiseSvg } from './svg';

/** CPU time in microseconds, which a busy machine does not lengthen. */
const aSecond = 1_000_000;
const svg = (inside: string) => `<svg>${inside}</svg>`;
/** Each level refers ten times to the level before. */
const levels = (count: number, group: (level: number, ten: string) => string, reference: (level: number) => string) =>
  svg(
    `<rect id="l0" width="1"/>${Array.from({ length: count }, (_, level) =>
      group(level + 1, reference(level).repeat(10)),
    ).join('')}`,
  );
const group = (level: number, ten: string) => `<g id="l${level}">${ten}</g>`;
const tooComplex = 'Ce logo est refusé\u00a0: ce SVG est trop complexe.';

describe('an SVG that multiplies its elements', () => {
  it.each([
    ['use', levels(9, group, (level) => `<use href="#l${level}"/>`)],
    ['an older use', levels(9, group, (level) => `<use xlink:href=" #l${level} "/>`)],
    [
      'symbols',
      levels(
        9,
        (l, ten) => `<symbol id="l${l}">${ten}</symbol>`,
        (l) => `<use href="#l${l}"/>`,
      ),
    ],
    [
      'masks',
      levels(
        9,
        (l, ten) => `<mask id="l${l}">${ten}</mask>`,
        (l) => `<rect mask="url( '#l${l}' )"/>`,
      ),
    ],
    [
      'clips',
      levels(
        9,
        (l, ten) => `<clipPath id="l${l}">${ten}</clipPath>`,
        (l) => `<g clip-path="url(#l${l})"/>`,
      ),
    ],
    [
      'the first of two that share an id',
      levels(
        9,
        (l, ten) => `${group(l, ten)}<g id="l${l}"/>`,
        (l) => `<use href="#l${l}"/>`,
      ),
    ],
    ['a long path', svg(`<path id="a" d="${'h1v1'.repeat(25_000)}"/>${'<use href="#a"/>'.repeat(20)}`)],
    ['a long text', svg(`<text id="a">${'W'.repeat(100_000)}</text>${'<use href="#a"/>'.repeat(20)}`)],
    ['a chain, from its start', svg(chain(200).join(''))],
    ['a chain, from its end', svg(chain(200).toReversed().join(''))],
    ['a chain longer than the stack', svg(chain(2_400).join(''))],
  ])('is refused: %s', (_name, text) => {
    const start = process.cpuUsage();
    expect(() => sanitiseSvg(text)).toThrow(tooComplex);
    expect(process.cpuUsage(start).user).toBeLessThan(aSecond);
  });

  it.each([
    ['patterns', '<pattern id="a" width=".001" height=".001"><rect/></pattern><rect fill="url(#a)"/>'],
    ['filters', '<filter id="a"><feTurbulence/><feGaussianBlur stdDeviation="999"/></filter><rect filter="url(#a)"/>'],
    ['markers', '<marker id="a"><rect/></marker><path marker-mid="url(#a)" d="M0 0h1"/>'],
    ['dashes', '<path stroke-dasharray=".0001" d="M0 0h1000"/>'],
  ])('loses them: %s', (_name, inside) => {
    expect(sanitiseSvg(svg(inside))).not.toMatch(/pattern|filter|<fe|marker|dash/);
  });
});

describe('a circular reference', () => {
  it.each([
    ['of one', '<use id="a" href="#a"/>'],
    ['with its parent', '<g id="a"><g><use href="#a"/></g></g>'],
    ['of three', '<g id="a"><use href="#b"/></g><g id="b"><use href="#c"/></g><g id="c"><use href="#a"/></g>'],
    ['of masks', '<mask id="a"><rect mask="url(#a)"/></mask>'],
    ['of gradients', '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'],
  ])('is refused: %s', (_name, inside) => {
    expect(() => sanitiseSvg(svg(inside))).toThrow('Ce logo est refusé\u00a0: ce SVG se contient lui-même.');
  });

  it('does not include an element that refers to its own child', () => {
    const inside = '<g mask="url(#m)" fill="url(#f)"><mask id="m"><rect/></mask><linearGradient id="f"/></g>';
    expect(sanitiseSvg(svg(inside))).toContain(inside);
  });
});

it.each(['width="1e9"', 'd="M0 0h999999999"', 'transform="scale(-200000000.5)"'])(
  'refuses huge numbers: %s',
  (attribute) => {
    expect(() => sanitiseSvg(svg(`<path ${attribute}/>`))).toThrow('ce SVG contient des nombres démesurés.');
  },
);

it('keeps a rich logo', () => {
  const star = '<path id="star-12345678" d="M.5.5.7.7a1 1 0 011000 1000z" fill="#123456789" stroke="#1e9999"/>';
  const fade =
    '<radialGradient id="fade" gradientTransform="matrix(6 0 0 6 7275865 -6090880)"><stop offset="0"/><stop offset="1"/></radialGradient>';
  const stars = '<use href="#star-12345678" fill="url(#fade)"/>'.repeat(1_000);
  expect(sanitiseSvg(svg(fade + star + stars))).toContain(fade + star + stars);
});

function chain(length: number): string[] {
  return Array.from({ length }, (_, at) => `<g id="c${at}"><use href="#c${at + 1}"/></g>`);
}
