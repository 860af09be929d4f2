import { describe, expect, it } from 'vitest';
import { parseSiteQuery, siteTokenKeys, siteTokenKinds, withoutToken, writeToken } from './site-search';

const tokensOf = (q: string) =>
  parseSiteQuery(q).tokens.map((token) => {
    const { written: _, ...rest } = token;
    return rest;
  });

describe('a search for sites', () => {
  it.each([
    ['maj:oui', { key: 'maj', isWaiting: true }],
    ['MAJ:Non', { key: 'maj', isWaiting: false }],
    ['http:5xx', { key: 'http', from: 500, to: 599 }],
    ['http:404', { key: 'http', from: 404, to: 404 }],
    ['http:0', { key: 'http', from: 0, to: 0 }],
    ['statut:erreur', { key: 'statut', status: 'error' }],
    ['groupe:"Grands comptes"', { key: 'groupe', name: 'Grands comptes' }],
    ['groupe:« Grands comptes »', { key: 'groupe', name: 'Grands comptes' }],
    ['serveur:web-03', { key: 'serveur', name: 'web-03' }],
    ['php:<8.2', { key: 'php', comparison: '<', version: [8, 2] }],
    ['php:>=8', { key: 'php', comparison: '>=', version: [8] }],
    ['wp:6.9', { key: 'wp', comparison: '=', version: [6, 9] }],
    ['sauvegarde:>7j', { key: 'sauvegarde', age: { comparison: '>', hours: 168 } }],
    ['sauvegarde:<24h', { key: 'sauvegarde', age: { comparison: '<', hours: 24 } }],
    ['sauvegarde:jamais', { key: 'sauvegarde', age: null }],
    ['plugin:woocommerce', { key: 'plugin', name: 'woocommerce' }],
  ])('parses %s', (q, token) => expect(tokensOf(q)).toEqual([token]));

  it('keeps the other words as text', () => {
    const { tokens, text, problem } = parseSiteQuery('  musée maj:oui  "rue du port" php:8.2 l’été ');
    expect([tokens.map(({ key }) => key), text, problem]).toEqual([
      ['maj', 'php'],
      'musée rue du port l’été',
      undefined,
    ]);
  });

  it.each([
    'https://exemple.fr',
    'http://exemple.fr/a',
    'ftp://exemple.fr',
    'toString:1',
    'localhost:8080/a',
    "'; drop",
    '%_\\',
  ])('searches %s literally', (q) =>
    expect(parseSiteQuery(q)).toEqual({ tokens: [], text: q, unknown: [], problem: undefined }),
  );

  it('leaves out a filter that does not exist, and names it', () => {
    const { tokens, text, unknown } = parseSiteQuery('port grp:clients constructor:x maj:oui');
    expect([tokens.length, text, unknown]).toEqual([
      1,
      'port',
      [
        { key: 'grp', written: 'grp:clients' },
        { key: 'constructor', written: 'constructor:x' },
      ],
    ]);
  });

  it.each([
    ['maj:peut-être', '«\u00a0maj:\u00a0» attend «\u00a0oui\u00a0» ou «\u00a0non\u00a0».'],
    ['maj:', '«\u00a0maj:\u00a0» attend «\u00a0oui\u00a0» ou «\u00a0non\u00a0».'],
    ['php:8.2;drop', '«\u00a0php:\u00a0» attend une version comme «\u00a08.2\u00a0» ou «\u00a0<8.2\u00a0».'],
    ['wp:99999', '«\u00a0wp:\u00a0» attend une version comme «\u00a06.9\u00a0» ou «\u00a0<6.9\u00a0».'],
    [
      'sauvegarde:7j',
      '«\u00a0sauvegarde:\u00a0» attend «\u00a0>7j\u00a0», «\u00a0<24h\u00a0» ou «\u00a0jamais\u00a0».',
    ],
    ['groupe:""', '«\u00a0groupe:\u00a0» attend le nom d’un groupe.'],
    ['maj:oui '.repeat(11), 'Une recherche compte 10 filtres au plus.'],
  ])('says why %s cannot be answered', (q, problem) => expect(parseSiteQuery(q).problem).toBe(problem));

  it('extends an open quote to the end', () =>
    expect(tokensOf('groupe:"Grands com')).toEqual([{ key: 'groupe', name: 'Grands com' }]));

  it('parses its own examples', () => {
    const examples = siteTokenKeys.flatMap((key) =>
      siteTokenKinds[key].examples.map((value) => writeToken(key, value)),
    );
    expect(examples.filter((q) => parseSiteQuery(q).problem !== undefined || tokensOf(q).length !== 1)).toEqual([]);
  });

  it('removes one token and keeps the others', () => {
    const q = 'port maj:oui groupe:"Grands comptes" $&';
    const [first, second] = parseSiteQuery(q).tokens;
    expect(first && withoutToken(q, first)).toBe('port groupe:"Grands comptes" $&');
    expect(second && withoutToken(q, second)).toBe('port maj:oui $&');
  });

  it('is written so that it parses to the same token', () => {
    expect(tokensOf(writeToken('groupe', 'Grands comptes'))).toEqual([{ key: 'groupe', name: 'Grands comptes' }]);
    expect(writeToken('serveur', 'web-03')).toBe('serveur:web-03');
  });
});
