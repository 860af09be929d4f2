import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { judgeContent, wholePage } from './content';
import { hasText } from './page-text';

const expected = { expected_text: 'Bienvenue à bord', redirects_to: null };
const aPage = (head: Buffer | string, encoding = '', type = 'text/html; charset=utf-8') => ({
  type,
  encoding,
  head: Buffer.from(head),
  tail: Buffer.alloc(0),
  bytes: head.length,
  isAll: true,
});
const foundIn = async (...page: Parameters<typeof aPage>) =>
  (await judgeContent(expected, { code: 200, url: 'https://phare.fr/', page: aPage(...page) }))?.found;

it.each([
  ['<h1>Bienvenue à bord</h1>', 'Bienvenue à bord', true],
  ['<h1>Bienvenue\n\t &agrave;&nbsp;bord</h1>', 'Bienvenue à bord', true],
  ['<h1>Bienvenue&#160;&#xE0; bord</h1>', 'Bienvenue à bord', true],
  ['<p>L&#8217;atelier &amp; le phare</p>', "L'atelier & le phare", true],
  ['<p>L&rsquo;atelier</p>', 'L’atelier', true],
  ['<p>L&#146;atelier</p>', 'L’atelier', true],
  ['<p>caf&#xE9;, No&euml;l et «&nbsp;l&#339;uvre&nbsp;»</p>', 'cafe\u0301, Noël et « lœuvre »', true],
  ['<p>a.b (c) [d] *?</p>', 'a.b (c) [d] *?', true],
  ['<p>a-b</p>', 'a.b', false],
  ['<h1>bienvenue à bord</h1>', 'Bienvenue à bord', false],
  ['<h1>Bienvenue <b>à</b> bord</h1>', 'Bienvenue à bord', false],
  ['<p>&laquo;&#8201;Bonjour&thinsp;&raquo; &bull; un</p>', '« Bonjour » • un', true],
  ['<p>a &amp;nbsp; b</p>', 'a &nbsp; b', false],
  ['&valueOf;', 'function', false],
  ['', 'Bienvenue à bord', false],
])('searches %j for %j', (page, text, isThere) => {
  expect(hasText(page, text)).toBe(isThere);
});

it('searches pages that are made to take long within moments', () => {
  const half = 524_288;
  const filled = (part: string) => part.repeat(half / part.length);
  const since = performance.now();
  expect(hasText(`e${filled('\u0301\u0323')}`, 'Noël à bord')).toBe(false);
  expect(hasText(filled('&nbsp;'), `${'&nbsp; '.repeat(28)}x`)).toBe(false);
  expect(hasText(filled('&#146;'), `${"'".repeat(199)}b`)).toBe(false);
  expect(hasText(filled('a '), `a${' a'.repeat(90)}b`)).toBe(false);
  expect(hasText(filled('a \u00a0&nbsp;'), 'a '.repeat(90).trim())).toBe(true);
  expect(performance.now() - since).toBeLessThan(5_000);
});

it('reads a page that was packed, cut, or written in another charset', async () => {
  const page = `<p>Bienvenue à bord</p>${randomBytes(5_000).toString('hex')}`;
  expect(await foundIn(gzipSync(page), 'gzip')).toBe('as_expected');
  expect(await foundIn(deflateSync(page), 'deflate')).toBe('as_expected');
  expect(await foundIn(brotliCompressSync(page), 'br')).toBe('as_expected');
  expect(await foundIn(gzipSync(page).subarray(0, -20), 'gzip')).toBe('as_expected');
  expect(await foundIn(brotliCompressSync(page).subarray(0, -20), 'br')).toBe('as_expected');
  // What cannot be read is not judged: nobody knows what a visitor sees.
  expect(await foundIn(page, 'gzip')).toBeUndefined();
  expect(await foundIn(page, 'zstd')).toBeUndefined();
  expect(await foundIn(page, '__proto__')).toBeUndefined();
  expect(await foundIn(Buffer.from(page, 'latin1'), '', 'text/html; charset=iso-8859-1')).toBe('as_expected');
  const ofWindows = Buffer.concat([Buffer.from('L'), Buffer.from([0x92]), Buffer.from('atelier')]);
  const atelier = { expected_text: 'L’atelier', redirects_to: null };
  const visited = {
    code: 200,
    url: 'https://phare.fr/',
    page: aPage(ofWindows, '', 'text/html; charset=windows-1252'),
  };
  expect(await judgeContent(atelier, visited)).toEqual({ ...atelier, found: 'as_expected' });
  expect(await foundIn(Buffer.from(`<meta charset="iso-8859-1">${page}`, 'latin1'), '', '')).toBe('as_expected');
  expect(await foundIn(page, '', 'text/html; charset=nimporte')).toBe('as_expected');
});

it('unpacks no more of a page than is searched', async () => {
  const bomb = (size: number) => gzipSync(`${' '.repeat(size)}Bienvenue à bord`);
  expect(await foundIn(bomb(wholePage.maxBytes - 100), 'gzip')).toBe('as_expected');
  expect(await foundIn(bomb(40 * wholePage.maxBytes), 'gzip')).toBe('text_missing');
});

it.each([
  ['https://phare.fr/accueil/?utm=1', 'as_expected'],
  ['https://phare.fr/accueil', 'as_expected'],
  ['https://phare.fr:443/accueil', 'as_expected'],
  ['https://phare.fr/acc%c3%a8s', 'other_redirect'],
  ['http://phare.fr/accueil', 'other_redirect'],
  ['https://www.phare.fr/accueil', 'other_redirect'],
  ['https://phare.fr/', 'other_redirect'],
])('compares the end %s with the address where the site should lead', async (url, found) => {
  const rules = { expected_text: null, redirects_to: 'https://phare.fr/accueil' };
  expect(await judgeContent(rules, { code: 200, url, page: aPage('') })).toEqual({ ...rules, found });
});

it('takes two ways to write the same letters of an address as one', async () => {
  const rules = { expected_text: null, redirects_to: 'https://phare.fr/accès' };
  const visited = { code: 200, url: 'https://phare.fr/acc%c3%a8s/', page: aPage('') };
  expect(await judgeContent(rules, visited)).toEqual({ ...rules, found: 'as_expected' });
});

it('says nothing of a site without an answer, and judges a page that was not found', async () => {
  const judge = (code: number, page: ReturnType<typeof aPage> | null) =>
    judgeContent(expected, { code, url: 'https://phare.fr/', page });
  expect(await judge(0, null)).toBeNull();
  expect(await judge(503, aPage('Bienvenue à bord'))).toBeNull();
  expect(await judge(404, aPage('Rien ici'))).toEqual({ ...expected, found: 'text_missing' });
  const ended = { ...aPage('Bien'), isAll: false };
  expect(await judge(200, ended)).toBeNull();
  expect(await judge(200, { ...ended, bytes: wholePage.maxBytes })).toEqual({ ...expected, found: 'text_missing' });
});
