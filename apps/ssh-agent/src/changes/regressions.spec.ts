import { describe, expect, it } from 'vitest';
import type { LoggedFatal } from '@vigie/wordpress/logs';
import { fatalText, newFatals, type PageCheck, problemText, findRegression } from './regressions';

const fine: PageCheck = {
  url: 'https://exemple.test/?vigie=1',
  code: 200,
  error: null,
  ms: 120,
  bytes: 9_000,
  isBlank: false,
  isWhole: true,
  fatal: null,
  isLate: false,
  isUnseen: false,
};
const late = { code: 0, error: 'Le site n’a pas répondu en 10\u00a0s.', isLate: true, isWhole: null, bytes: 0 };
const home = (before: Partial<PageCheck>, after: Partial<PageCheck>) =>
  findRegression({ home: { ...fine, ...before }, login: fine }, { home: { ...fine, ...after }, login: fine });

describe('a site has a regression', () => {
  it.each<[string, Partial<PageCheck>, Partial<PageCheck>, RegExp]>([
    ['its page is an error', {}, { code: 500 }, /^la page d’accueil répond 500 au lieu de 200$/],
    ['its page is gone', {}, { code: 404 }, /répond 404 au lieu de 200/],
    ['an error is a worse one', { code: 404 }, { code: 503 }, /répond 503 au lieu de 404/],
    ['nothing answers', {}, { code: 0, error: 'Le serveur du site refuse la connexion.' }, /ne répond plus\u00a0: Le/],
    ['it is slower than the limit', {}, late, /plus dans le temps permis \(10\u00a0s\)/],
    ['it answered badly, and times out now', { code: 500 }, late, /temps permis/],
    ['its page is empty', {}, { isBlank: true, isWhole: false, bytes: 0 }, /est vide/],
    ['its page is cut', {}, { isWhole: false }, /est coupée avant sa fin/],
    [
      'its page prints an error',
      {},
      { fatal: 'Fatal error: x' },
      /affiche une erreur \(«\u00a0Fatal error: x\u00a0»\)/,
    ],
  ])('when %s', (_, before, after, reason) => {
    expect(home(before, after)).toMatch(reason);
  });

  it('when its login page does', () => {
    const login = { ...fine, code: 500 };
    expect(findRegression({ home: fine, login: fine }, { home: fine, login })).toMatch(
      /^la page de connexion répond 500/,
    );
  });

  it.each<[string, Partial<PageCheck>, Partial<PageCheck>]>([
    ['it has not changed', {}, {}],
    ['it is slower', { ms: 100 }, { ms: 9_000 }],
    ['it is smaller', { bytes: 90_000 }, { bytes: 900 }],
    ['it answers with another good status', { code: 200 }, { code: 204 }],
    ['it was broken in the same way', { code: 500 }, { code: 503 }],
    [
      'it was broken, and is broken in another way',
      { code: 500, fatal: 'a' },
      { code: 500, fatal: 'b', isBlank: true },
    ],
    ['it is better', { code: 500 }, {}],
    ['it was cut before', { isWhole: false }, { isWhole: false }],
    ['it is unknown whether it is complete', {}, { isWhole: null }],
    ['it printed an error before', { fatal: 'a' }, { fatal: 'b' }],
    ['it was empty before', { isBlank: true, isWhole: false }, { isBlank: true, isWhole: false }],
    ['it cannot be reached', {}, { code: 0, isUnseen: true }],
    ['it could not be reached before', { code: 0, isUnseen: true }, { code: 500 }],
    ['it was late before', late, late],
  ])('not when %s', (_, before, after) => {
    expect(home(before, after)).toBeUndefined();
  });
});

const fatal = (message: string, more: Partial<LoggedFatal> = {}): LoggedFatal => ({
  at: null,
  message,
  file: null,
  line: null,
  culprit: null,
  ...more,
});
const vitrine = { kind: 'plugin', slug: 'vitrine' } as const;
const ours = fatal('Uncaught Error: x', {
  file: 'wp-content/plugins/vitrine/a.php',
  line: 3,
  culprit: { type: 'plugin', slug: 'vitrine' },
});

describe('an error in the logs', () => {
  it('is blamed on a change that caused it', () => {
    const named = fatal('Uncaught Error in /x/wp-content/plugins/vitrine/a.php:3');
    for (const each of [ours, named]) expect(newFatals([each], [each], [vitrine])).toEqual([each]);
    const theme = fatal('x', { culprit: { type: 'theme', slug: 'phare' } });
    expect(newFatals([theme], [theme], [{ kind: 'theme', slug: 'phare' }])).toEqual([theme]);
    expect(newFatals([theme], [theme], [{ kind: 'core', slug: 'wordpress' }])).toEqual([theme]);
  });

  it('is not blamed on a change of something else', () => {
    const other = fatal('x', {
      file: 'wp-content/plugins/vitrine-pro/a.php',
      culprit: { type: 'plugin', slug: 'vitrine-pro' },
    });
    const theme = fatal('x', { culprit: { type: 'theme', slug: 'vitrine' } });
    for (const each of [other, theme]) expect(newFatals([each], [each], [vitrine])).toEqual([]);
  });

  it('is not blamed on a change that came after it, even if its line has moved', () => {
    const before = { ...ours, line: 12, message: 'Uncaught Error: x' };
    expect(newFatals([ours], [before, ours], [vitrine])).toEqual([]);
    expect(newFatals([ours, ours], [ours, ours], [vitrine])).toEqual([ours, ours]);
  });

  it('is described with its file and line, once', () => {
    expect(fatalText(ours)).toBe('Uncaught Error: x (wp-content/plugins/vitrine/a.php, ligne 3)');
    expect(fatalText(fatal('Sans lieu.\nStack trace'))).toBe('Sans lieu');
  });
});

it('blames a change for a failed start, unless it failed before', () => {
  const problem = { kind: 'fatal', message: 'x', file: null, line: null, culprit: null } as const;
  expect(problemText(problem, true)).toBe('WordPress ne démarre plus\u00a0: x');
  expect(problemText(problem, false)).toBeUndefined();
  expect(problemText({ ...problem, kind: 'unreadable' }, true)).toBeUndefined();
  expect(problemText(null, true)).toBeUndefined();
});

it('lets a plugin close the site to its visitors, as long as the login page works', () => {
  const shut = { ...fine, code: 503 };
  const closed = (page: Partial<PageCheck>, login: Partial<PageCheck> = {}) =>
    findRegression({ home: fine, login: fine }, { home: { ...shut, ...page }, login: { ...fine, ...login } }, true);
  expect(closed({})).toBeUndefined();
  expect(findRegression({ home: fine, login: fine }, { home: shut, login: fine })).toMatch(/répond 503/);
  for (const page of [{ fatal: 'x' }, { isBlank: true }, { isWhole: false }, { bytes: 0 }])
    expect(closed(page)).toMatch(/répond 503/);
  expect(closed({ code: 500 })).toMatch(/répond 500/);
  expect(closed({}, { code: 503 })).toMatch(/répond 503/);
  expect(closed({}, { isBlank: true })).toMatch(/répond 503/);
});
