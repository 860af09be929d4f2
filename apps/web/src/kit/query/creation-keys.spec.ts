import { expect, it } from 'vitest';
import { creationKey, forgetCreationKey } from './creation-keys';

const creation = (name: string) => ({ method: 'POST', path: '/groups', body: { name } });

it('keeps the key of a creation until it is answered', () => {
  const key = creationKey(creation('a'));
  expect(creationKey(creation('a'))).toBe(key);
  expect(creationKey(creation('b'))).not.toBe(key);
  forgetCreationKey(creation('a'));
  expect(creationKey(creation('a'))).not.toBe(key);
});

it('gives a new key to what is asked for again much later', () => {
  const key = creationKey(creation('c'), 0);
  expect(creationKey(creation('c'), 10 * 60_000)).toBe(key);
  expect(creationKey(creation('c'), 10 * 60_000 + 1)).not.toBe(key);
});
