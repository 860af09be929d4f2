import { describe, expect, it } from 'vitest';
import { sanitiseSvg } from './svg';

/** CPU time in microseconds, which a busy machine does not lengthen. */
const aSecond = 1_000_000;
const spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const sanitised = (inside: string) => sanitiseSvg(`<svg>${inside}</svg>`).replace(` ${spaces}`, '');

describe('the written SVG', () => {
  it.each([
    ['an empty element', '<rect x="1"></rect>', '<rect x="1"/>'],
    ['quotes in a text', '<text>"a" &amp; &lt;b&gt; \'c\'</text>', '<text>"a" &amp; &lt;b&gt; \'c\'</text>'],
    ['quotes in an attribute', `<g id='"&lt;&amp;'>x</g>`, '<g id="&quot;&lt;&amp;">x</g>'],
    ['an element emptied', '<g><script>x</script></g>', '<g/>'],
  ])('is short and means the same: %s', (_name, input, written) => {
    expect(sanitised(input)).toBe(`<svg>${written}</svg>`);
  });

  it('is an SVG even with nothing in it', () => {
    expect(sanitiseSvg('<svg/>')).toBe(`<svg ${spaces}/>`);
  });
});

it('refuses more levels than a browser should descend', () => {
  const nested = (levels: number) => '<g>'.repeat(levels) + '</g>'.repeat(levels);
  expect(sanitised(nested(99))).toContain('<g/>');
  expect(() => sanitised(nested(100))).toThrow('Ce logo est refusé\u00a0: ce SVG est trop complexe.');
});

describe('an attribute', () => {
  it.each([
    `mask="image-set('https://e/x' 1x)"`,
    `mask="-webkit-image-set(url(#a) 1x)"`,
    `fill="image('https://e')"`,
    `mask="src('https://e/x')"`,
    `mask="SRC ('https://e/x')"`,
    `fill="url(https://e)"`,
    `fill="URL(#a)"`,
    `fill="url(#a) url('//e')"`,
    `fill="url(#a)url(//e)"`,
    `fill="url('#a' src('//e'))"`,
    `fill="url(#a&quot;//e)"`,
    `fill="url(/**/#a)"`,
    `fill="u\\72l(//e)"`,
    `fill="rgb(var(--a))"`,
    `fill="r url(#a)gb(image('//e'))"`,
    `clip-path="('//e')"`,
    `transform="scale(2) attr(x)"`,
    `fill="cross-fade(url(#a), 'https://e')"`,
  ])('is dropped with a function that may fetch: %s', (attribute) => {
    expect(sanitised(`<rect ${attribute} x="1"/>`)).toBe('<svg><rect x="1"/></svg>');
  });

  it.each([
    'fill="url(#a)"',
    'fill="url(#Dégradé_sans_nom_2) #fff"',
    `mask="url( '#a.b:c-d' )"`,
    'fill="rgb(1, 2, 3)" stroke="rgba(1 2 3 / 50%)" color="hsl(1 2% 3%)" stop-color="hsla(1, 2%, 3%, 1)"',
    'transform="translate(1,2)rotate (3) scale(4), skewX(5) skewY(6) matrix(1 0 0 1 0 0)"',
    `font-family="'Open Sans', sans-serif"`,
    'href="#Dégradé"',
  ])('is kept: %s', (attribute) => {
    expect(sanitised(`<use ${attribute}/>`)).toBe(`<svg><use ${attribute}/></svg>`);
  });
});

describe('a style', () => {
  it.each([
    ['fill:#f00; stroke : url(#a) !important;', 'fill="#f00" stroke="url(#a)"'],
    ['-inkscape-font-specification:x;font-family:Inter', 'font-family="Inter"'],
    ["mask:url('//e');fill:image('//e');opacity:.5", 'opacity=".5"'],
    ['href:#a;id:b;class:c;behavior:url(#a);position:fixed', ''],
    ['fill', ''],
  ])('becomes equivalent attributes: %s', (style, written) => {
    expect(sanitised(`<rect style="${style}"/>`)).toBe(`<svg><rect${written && ` ${written}`}/></svg>`);
  });

  it('wins over an attribute', () => {
    expect(sanitised('<rect fill="#000" style="fill:#fff"/>')).toBe('<svg><rect fill="#fff"/></svg>');
  });
});

describe('a style sheet', () => {
  const styled = (sheet: string, inside: string) => sanitised(`<style>${sheet}</style>${inside}`);

  it.each([
    ['.cls-1{fill:#e30613;}', 'cls-1', 'fill="#e30613"'],
    ['\n\t.st0 { fill : #fff; }\n\t.st1{stroke:url(#a)!important}\n', 'st0 st1', 'fill="#fff" stroke="url(#a)"'],
    ['.a,.b{fill:red}.b{fill:#fff;opacity:.5}', 'b a', 'fill="#fff" opacity=".5"'],
    ['/* .a{fill:red} */.a{fill:/**/blue}/* .a{', 'a', 'fill="blue"'],
    ['<![CDATA[.fil0 {fill:#2B2A29}]]>', 'fil0', 'fill="#2B2A29"'],
  ])('becomes the attributes of the elements with its classes: %s', (sheet, classes, written) => {
    expect(styled(sheet, `<path class="${classes}"/>`)).toBe(`<svg><path class="${classes}" ${written}/></svg>`);
  });

  it('applies wherever it stands, over an attribute and under a style', () => {
    const path = '<path class="a" fill="#000"/><path class="a" style="fill:#fff"/>';
    const written = '<path class="a" fill="red"/><path class="a" fill="#fff"/>';
    expect(sanitised(`${path}<style>.a{fill:red}</style>`)).toBe(`<svg>${written}</svg>`);
  });

  it.each([
    "@import url('//e');.a{fill:red}",
    '@media print{.a{fill:red}}',
    '@media print{@supports (x){.a{fill:red}}',
    '.a>.b{fill:red}',
    '.a:hover,#a,path,*,.a[b]{fill:red}',
    '.a.b{fill:red}',
    ".a{fill:url('//e');mask:image-set('//e' 1x);behavior:url(#a)}",
    '.a{fill:u\\72l(//e)}',
    '.a{href:#a;id:b;class:c;onload:x;xlink:href:#a}',
    '.a{--b:red;fill:var(--b)}',
    '.a{fill:red',
    '}.a{fill',
    '.constructor{fill:red}.__proto__{fill:red}',
  ])('adds nothing else: %s', (sheet) => {
    expect(styled(sheet, '<path class="a"/>')).toBe('<svg><path class="a"/></svg>');
  });

  it('is ignored for another medium', () => {
    expect(sanitised('<style media="print">.a{fill:red}</style><path class="a"/>')).toBe(
      '<svg><path class="a"/></svg>',
    );
  });

  it('is refused with a huge number, or when it adds more than a drawing needs', () => {
    expect(() => styled('.a{x:1e9}', '<path class="a"/>')).toThrow('démesurés');
    const many = '<path class="a"/>'.repeat(4_000);
    const start = process.cpuUsage();
    for (const body of [`font-family:${'a'.repeat(60_000)}`, 'x:1;'.repeat(15_000)]) {
      expect(() => styled(`.a{${body}}`, many)).toThrow('trop complexe');
    }
    expect(() => styled('.a{x:1}'.repeat(9_000), many)).toThrow('trop complexe');
    expect(process.cpuUsage(start).user).toBeLessThan(aSecond);
  });

  it.each(['{', '}', '/*', '*/', ',', '.a{', '.a,', '.a{x:1}', '@', '.a{}'])('is read once: %s', (part) => {
    const start = process.cpuUsage();
    styled(part.repeat(140_000 / part.length), '<path class="b"/>');
    expect(process.cpuUsage(start).user).toBeLessThan(aSecond);
  });
});

it.each([
  ['letters', 'a'.repeat(140_000)],
  ['spaces', ' '.repeat(140_000)],
  ['addresses left open', 'url('.repeat(35_000)],
  ['spaced addresses left open', `url(${' '.repeat(100)}`.repeat(1_300)],
  ['references left open', 'url(#a '.repeat(20_000)],
  ['functions', 'rgb( '.repeat(28_000)],
  ['digits', '1'.repeat(140_000)],
  ['points', '1.'.repeat(70_000)],
  ['hashes', '#a'.repeat(70_000)],
])('reads a long attribute once: %s', (_name, value) => {
  const start = process.cpuUsage();
  for (const key of ['d', 'href', 'id', 'fill', 'style']) {
    try {
      sanitiseSvg(`<svg><path ${key}="${value}"/></svg>`);
    } catch (error) {
      expect(String(error)).toContain('démesurés');
    }
  }
  expect(process.cpuUsage(start).user).toBeLessThan(aSecond);
});
