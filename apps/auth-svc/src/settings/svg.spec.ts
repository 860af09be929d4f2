import { describe, expect, it } from '@jest/globals';
import { sanitiseSvg } from './svg';

const spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const kept = (inside: string) => sanitiseSvg(`<svg>${inside}</svg>`).replace(` ${spaces}`, '');

describe('what is written', () => {
  it.each([
    ['an empty element', '<rect x="1"></rect>', '<rect x="1"/>'],
    ['quotes in a text', '<text>"a" &amp; &lt;b&gt; \'c\'</text>', '<text>"a" &amp; &lt;b&gt; \'c\'</text>'],
    ['quotes in an attribute', `<g id='"&lt;&amp;'>x</g>`, '<g id="&quot;&lt;&amp;">x</g>'],
    ['an element emptied', '<g><script>x</script></g>', '<g/>'],
  ])('is short and means the same: %s', (_name, given, written) => {
    expect(kept(given)).toBe(`<svg>${written}</svg>`);
  });

  it('is an SVG even with nothing in it', () => {
    expect(sanitiseSvg('<svg/>')).toBe(`<svg ${spaces}/>`);
  });
});

it('refuses more levels than a browser should descend', () => {
  const nested = (levels: number) => '<g>'.repeat(levels) + '</g>'.repeat(levels);
  expect(kept(nested(99))).toContain('<g/>');
  expect(() => kept(nested(100))).toThrow('Ce logo est refusé\u00a0: ce SVG est trop complexe.');
});
