import { expect, it } from 'vitest';
import { parseJson } from './json-body';

it('parses what people send', () => {
  expect(parseJson('{"a":[1,{"b":"c"}]}')).toEqual({ a: [1, { b: 'c' }] });
  expect(parseJson('  ')).toBeUndefined();
});

it.each([
  ['33 levels', '['.repeat(33) + ']'.repeat(33)],
  ['levels that never end', '{"a":'.repeat(50_000)],
  ['__proto__ at any depth', '{"a":{"__proto__":1}}'],
  ['__proto__ written by escapes', '{"\\u005f_proto__":{}}'],
  ['an object as constructor', '{"constructor":{"prototype":{}}}'],
  ['NUL', '{"a":"\\u0000"}'],
  ['half a character', '{"a":["\\ud83d"]}'],
])('refuses %s', (_name, text) => {
  expect(() => parseJson(text)).toThrow();
});

it('ignores brackets inside a string', () => {
  const text = JSON.stringify({ a: `${'['.repeat(100)}\\"` });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});
