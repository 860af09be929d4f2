import { afterAll, beforeAll, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { LoadTests, siteAt } from './load-tests';

const itHere = onFleet(it);

type ReplaceResult = {
  needed: boolean;
  pairs: Record<string, string>;
  values: { made: string; reads: [boolean, boolean] }[];
};

let tests: LoadTests;
beforeAll(() => {
  tests = new LoadTests();
});
afterAll(() => tests.close());

const old = 'http://www.ancien.fr';
const about = {
  SiteURL: old,
  HomeURL: old,
  InternalSiteURL: old,
  InternalHomeURL: old,
  WordPress: {
    Absolute: '/var/www/html/',
    Content: '/var/www/html/wp-content',
    UploadsURL: `${old}/wp-content/uploads/`,
  },
};
const site = siteAt('wp_', 'https://nouveau.fr/le-site');

function replaceIn(values: readonly string[], more: object = {}): ReplaceResult {
  const [answer] = tests.ask<ReplaceResult>([{ is: 'replace', about, site, values, ...more }]);
  if (!answer) throw new Error('no answer');
  return answer;
}

itHere('replaces addresses in every notation', () => {
  const expected = {
    'http://www.ancien.fr/a?b#c': 'https://nouveau.fr/le-site/a?b#c',
    'https://www.ancien.fr': 'https://nouveau.fr/le-site',
    'http://ancien.fr/': 'https://nouveau.fr/le-site/',
    'https://ancien.fr/': 'https://nouveau.fr/le-site/',
    '//ancien.fr/x': '//nouveau.fr/le-site/x',
    '<a href="http://ancien.fr/é">': '<a href="https://nouveau.fr/le-site/é">',
    'data-a="ancien.fr/b"': 'data-a="nouveau.fr/le-site/b"',
    '{"a":"http:\\/\\/www.ancien.fr\\/b"}': '{"a":"https:\\/\\/nouveau.fr\\/le-site\\/b"}',
    '?u=http%3A%2F%2Fwww.ancien.fr%2Fb': '?u=https%3A%2F%2Fnouveau.fr%2Fle-site%2Fb',
    'moi@ancien.fr, toi@www.ancien.fr': 'moi@nouveau.fr, toi@nouveau.fr',
    'http://www.ancien.fr/wp-content/uploads/a.jpg': 'https://nouveau.fr/le-site/wp-content/uploads/a.jpg',
    'src="/wp-content/uploads/a.jpg"': 'src="/le-site/wp-content/uploads/a.jpg"',
    '/var/www/html/wp-content/x /var/www/html/y': '/srv/nouveau/wp-content/x /srv/nouveau/y',
    '\\/var\\/www\\/html\\/wp-content': '\\/srv\\/nouveau\\/wp-content',
    'autre.fr, ancien fr, /var/www/htmlx': 'autre.fr, ancien fr, /var/www/htmlx',
  };
  const { values, needed } = replaceIn(Object.keys(expected));
  expect(needed).toBe(true);
  expect(values.map(({ made }) => made)).toEqual(Object.values(expected));
});

itHere('leaves mail addresses alone if asked to, and everything of a site that does not move', () => {
  const values = ['moi@www.ancien.fr http://www.ancien.fr http://ancien.fr'];
  const unchanged = replaceIn(values, { about: { ...about, NoEmailReplace: true } });
  expect(unchanged.values[0]?.made).toBe('moi@www.ancien.fr https://nouveau.fr/le-site https://nouveau.fr/le-site');
  const same = replaceIn(values, { site: siteAt('wp_', old, '/var/www/html') });
  expect(same).toMatchObject({ needed: false, pairs: [], values: [{ made: values[0] }] });
  const moved = replaceIn(['/var/www/html/x http://ancien.fr'], { site: siteAt('wp_', old) });
  expect(moved.values[0]?.made).toBe('/srv/nouveau/x http://ancien.fr');
  const secured = replaceIn(['http://www.ancien.fr https://www.ancien.fr'], {
    site: siteAt('wp_', 'https://www.ancien.fr', '/var/www/html'),
  });
  expect(secured.values[0]?.made).toBe('https://www.ancien.fr https://www.ancien.fr');
  expect(replaceIn(values, { about: {} }).needed).toBe(false);
});

itHere('moves the subdomains of a network, and leaves sites with their own domain', () => {
  const below = [
    'https://blog.ancien.fr',
    'http://www.ancien.fr/dossier/',
    'http://a.b.ancien.fr/x/',
    'http://autre.fr',
  ];
  const expected = {
    'https://blog.ancien.fr/a http://www.ancien.fr/dossier/b':
      'https://blog.nouveau.fr/le-site/a https://nouveau.fr/le-site/dossier/b',
    '//a.b.ancien.fr/x/c, //a.b.ancien.fr/y': '//a.b.nouveau.fr/le-site/x/c, //a.b.ancien.fr/y',
    'http:\\/\\/blog.ancien.fr\\/ moi@blog.ancien.fr': 'https:\\/\\/blog.nouveau.fr\\/le-site\\/ moi@blog.nouveau.fr',
    'http://autre.fr http://c.ancien.fr': 'http://autre.fr http://c.ancien.fr',
  };
  const { values } = replaceIn(Object.keys(expected), { below });
  expect(values.map(({ made }) => made)).toEqual(Object.values(expected));
  const unchanged = replaceIn(['http://blog.ancien.fr'], { below, site: siteAt('wp_', old, '/var/www/html') });
  expect(unchanged.needed).toBe(false);
});

const text = (value: string) => `s:${Buffer.byteLength(value)}:"${value}";`;
const list = (...items: readonly string[]) =>
  `a:${items.length}:{${items.map((item, at) => `i:${at};${item}`).join('')}}`;
const from = 'http://ancien.fr';
const to = 'https://www.nouveau.fr/site';

/** Serialized values, as a function of the address in them. */
const serialized: Record<string, (url: string) => string> = {
  text: (url) => text(`é${url}/`),
  list: (url) => list(text(url), 'N;', 'b:1;', 'd:0.1;', 'd:-1.0E-25;', 'd:INF;', 'i:-5;', 'a:0:{}'),
  key: (url) => `a:1:{${text(url)}i:1;}`,
  nested: (url) => list(text(list(text(list(text(`"${url}";}`))), text('x'))), text('x')),
  object: (url) => `O:8:"stdClass":2:{${text('a')}${text(url)}${text(`b${url}`)}R:2;}`,
  hidden: (url) => `O:11:"ArrayObject":4:{i:0;i:0;i:1;${list(text(url))}i:2;a:0:{}i:3;N;}`,
  private: (url) => `O:6:"Inconn":1:{${text('\0Inconn\0a')}${text(url)}}`,
  own: (url) =>
    list(((inner) => `C:6:"Inconn":${Buffer.byteLength(inner)}:{${inner}}`)(`x:i:0;${list(text(url))};m:a:0:{}`)),
  plain: (url) => list(((inner) => `C:6:"Inconn":${Buffer.byteLength(inner)}:{${inner}}`)(`{"url":"${url}"}`)),
  kind: (url) => list('E:9:"Inconn:Un";', text(url)),
  session: (url) => `panier|${list(text(url))}vu|${text(`${url}/é`)}${url}`,
};

itHere('corrects the lengths in serialized data', () => {
  const names = Object.keys(serialized);
  const made = (url: string) => names.map((name) => serialized[name]?.(url) ?? '');
  const { values } = replaceIn(made(from), { pairs: { [from]: to } });
  expect(Object.fromEntries(values.map((each, at) => [names[at], each.made]))).toEqual(
    Object.fromEntries(made(to).map((each, at) => [names[at], each])),
  );
  // PHP does not unserialize enumerations and classes that it does not know.
  for (const [at, { reads }] of values.entries())
    if (!/^(kind|session|own|plain)$/.test(names[at] ?? ''))
      expect([names[at], ...reads]).toEqual([names[at], true, true]);
});

itHere('changes only intact parts of damaged serialized data', () => {
  const torn = {
    [`a:1:{s:99:"${from}";}`]: `a:1:{s:99:"${from}";}`,
    [`a:2:{i:0;${text(from)}i:1;s:9:"${from}";}`]: `a:2:{i:0;${text(to)}i:1;s:9:"${from}";}`,
    [`${list(text(from))}${from}`]: `${list(text(to))}${from}`,
    [`C:6:"Inconn":${8 + from.length}:{x:3:abc ${from}}`]: `C:6:"Inconn":${8 + from.length}:{x:3:abc ${from}}`,
    [`s:5 ${from}`]: `s:5 ${to}`,
    [`"${from}":"s:99:"${from}`]: `"${to}":"s:99:"${to}`,
    [`s:99999999999:"${from}";`]: `s:99999999999:"${from}";`,
  };
  const { values } = replaceIn(Object.keys(torn), { pairs: { [from]: to } });
  expect(values.map(({ made }) => made)).toEqual(Object.values(torn));
});

itHere('replaces in deeply nested data, up to a limit', () => {
  const nested = (url: string, depth: number) => {
    let inner = text(url);
    for (let left = depth; left > 0; left--) inner = list(text(inner));
    return inner;
  };
  const { values } = replaceIn(
    [nested(from, 50), nested(from, 200), `${'a:1:{i:0;'.repeat(5_000)}${text(from)}${'}'.repeat(5_000)}`],
    {
      pairs: { [from]: to },
    },
  );
  expect(values[0]?.made).toBe(nested(to, 50));
  expect(values[1]?.made).toBe(nested(from, 200));
  expect(values[2]?.made).toContain(`{i:0;${text(to)}}`);
});

itHere('gives for random data the serialization of the replaced data', () => {
  const pairs = { [from]: to, 'https:\\/\\/ancien.fr': 'https:\\/\\/www.nouveau.fr\\/site' };
  const seeds = [1, 2, 3, 4].map((seed) => ({ is: 'fuzz', seed, turns: 1_500, pairs }));
  for (const answer of tests.ask<{ wrong: string[][]; changed: number }>(seeds)) {
    expect(answer.wrong).toEqual([]);
    expect(answer.changed).toBeGreaterThan(300);
  }
});
