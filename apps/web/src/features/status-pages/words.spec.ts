import { describe, expect, it } from 'vitest';
import { dayWords, describeDays, otherSentence, outagePeriod, outageTitle, overallSentence } from './words';

const none = { up: 0, down: 0, maintenance: 0, unknown: 0 };
const plain = (text: string | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the sentence of a page', () => {
  it.each([
    [none, 'Aucun site pour l’instant'],
    [{ ...none, up: 3 }, 'Tout fonctionne'],
    [{ ...none, up: 3, down: 1 }, '1 site ne répond pas'],
    [{ ...none, up: 3, down: 2, unknown: 4 }, '2 sites ne répondent pas'],
    [{ ...none, up: 3, unknown: 1 }, 'État inconnu pour 1 site'],
    [{ ...none, unknown: 2 }, 'État inconnu pour l’instant'],
    [{ ...none, up: 1, maintenance: 2 }, '2 sites en maintenance'],
  ])('says the worst that is known of %o', (counts, sentence) => {
    expect(plain(overallSentence({ counts, is_cut: false }, 'Vigie'))).toBe(sentence);
  });

  it('says that nothing is known while Vigie is cut off, by a name that the visitor knows', () => {
    const cut = { counts: { ...none, unknown: 2 }, is_cut: true };
    expect(plain(overallSentence(cut, 'Vigie'))).toBe('État inconnu : Vigie est coupée du réseau');
    expect(plain(overallSentence(cut, 'Agence Martin'))).toBe('État inconnu : la surveillance est coupée du réseau');
  });

  it('says what is known of the others', () => {
    expect(plain(otherSentence({ ...none, up: 3, down: 1 }))).toBe('3 autres fonctionnent');
    expect(plain(otherSentence({ ...none, up: 1, down: 1, unknown: 2 }))).toBe(
      '1 autre fonctionne, état inconnu pour 2 autres',
    );
    expect(plain(otherSentence({ ...none, down: 1, maintenance: 1, unknown: 1 }))).toBe(
      '1 autre en maintenance, état inconnu pour 1 autre',
    );
    expect(plain(otherSentence({ ...none, down: 1, unknown: 2 }))).toBe('État inconnu pour 2 autres');
    expect(otherSentence({ ...none, down: 2 })).toBeUndefined();
    expect(otherSentence({ ...none, up: 2 })).toBeUndefined();
  });
});

it('tells of an outage in plain words', () => {
  const from = '2026-03-03T14:05:00.000Z';
  const over = { sites: ['boutique.fr'], from, to: '2026-03-03T14:17:00.000Z' };
  expect(outageTitle(over)).toBe('boutique.fr n’a pas répondu');
  expect(plain(outagePeriod(over, new Date()))).toMatch(/^Pendant 12 min, le 3 mars à \d\d:05$/);
  const open = { sites: ['a.fr', 'b.fr', 'c.fr', 'd.fr', 'e.fr'], from, to: null };
  expect(plain(outageTitle(open))).toBe('a.fr, b.fr, c.fr et 2 autres sites ne répondent pas');
  expect(plain(outageTitle({ ...open, sites: open.sites.slice(0, 4) }))).toBe(
    'a.fr, b.fr, c.fr et d.fr ne répondent pas',
  );
  expect(plain(outagePeriod(open, new Date('2026-03-03T17:10:00.000Z')))).toMatch(
    /^Depuis le 3 mars à \d\d:\d\d \(3 h 05\)$/,
  );
});

describe('the days of a site', () => {
  const at = '2026-03-03T14:05:00.000Z';
  const uptime = { day: 100, month: 100, quarter: 99.5 };

  it('are those of UTC, today last', () => {
    const days = [null, 98.4, 100];
    expect([0, 1, 2].map((index) => plain(dayWords({ days }, index, at)))).toEqual([
      '1 mars : pas de mesure',
      '2 mars : 98,40 %',
      '3 mars : 100 %',
    ]);
  });

  it('are told to those who do not see the bars', () => {
    expect(describeDays({ days: [null], uptime }, at)).toBe('Pas encore de mesure');
    expect(plain(describeDays({ days: [100, null], uptime: { ...uptime, quarter: 100 } }, at))).toBe(
      '2 derniers jours : 100 %, aucun échec',
    );
    expect(plain(describeDays({ days: [98, 100, 50], uptime }, at))).toBe(
      '3 derniers jours : 99,50 %. Échecs : 3 mars : 50,00 % ; 1 mars : 98,00 %',
    );
    expect(plain(describeDays({ days: Array(8).fill(50), uptime }, at))).toMatch(/; 3 autres jours$/);
  });
});
