import { expect, it } from 'vitest';
import { commands } from './commands';
import { globalOptions } from './options';
import { count, languageOf, yes } from './language';

it.each([
  ['fr_FR.UTF-8', 'fr'],
  ['fr', 'fr'],
  ['FR_CA', 'fr'],
  ['en_GB.UTF-8', 'en'],
  ['frp_IT', 'en'],
  ['C', 'en'],
  [undefined, 'en'],
])('%s is read as %s', (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});

it('counts in both languages', () => {
  const noun = [
    ['site', 'sites'],
    ['site', 'sites'],
  ] as const;
  expect(count(0, ...noun)).toEqual({ fr: '0\u00a0site', en: '0 sites' });
  expect(count(2, ...noun)).toEqual({ fr: '2\u00a0sites', en: '2 sites' });
});

it('takes an answer only in the language of the question', () => {
  expect(yes.fr.test('oui')).toBe(true);
  expect([yes.fr.test('y'), yes.en.test('o'), yes.fr.test(''), yes.fr.test('on')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it('has each command and each option in both languages', () => {
  for (const { about, parameters, options } of commands)
    for (const words of [about, parameters, ...[...options, ...globalOptions].map((option) => option.about)])
      expect(Object.keys(words).toSorted()).toEqual(['en', 'fr']);
});
