import { expect, it } from 'vitest';
import { creationKey, endCreation, forgetCreationKeys, newTraceparent } from './request-headers';

const creation = (name: string) => ({ method: 'POST', path: '/groups', body: { name } });
const minuteMs = 60_000;

it('keeps the key of a creation until it is answered', () => {
  const key = creationKey(creation('a'));
  expect(creationKey(creation('a'))).toBe(key);
  expect(creationKey(creation('b'))).not.toBe(key);
  endCreation(creation('a'), false);
  expect(creationKey(creation('a'))).toBe(key);
  endCreation(creation('a'), true);
  const next = creationKey(creation('a'));
  expect(next).not.toBe(key);
  forgetCreationKeys();
  expect(creationKey(creation('a'))).not.toBe(next);
});

it('gives a new key to what is asked for again later than two minutes after its answer was lost', () => {
  const key = creationKey(creation('c'), 0);
  endCreation(creation('c'), false, minuteMs);
  expect(creationKey(creation('c'), 3 * minuteMs)).toBe(key);
  endCreation(creation('c'), false, 4 * minuteMs);
  expect(creationKey(creation('c'), 6 * minuteMs + 1)).not.toBe(key);
});

it('gives each request a new W3C trace id', () => {
  const names = Array.from({ length: 50 }, newTraceparent);
  for (const name of names) expect(name).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
  expect(new Set(names).size).toBe(50);
});
