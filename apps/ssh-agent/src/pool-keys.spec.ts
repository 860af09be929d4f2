import { expect, it } from 'vitest';
import { until } from '@vigie/testing/until';
import { PoolKeys } from './pool-keys';

it('knows the newest version that was used, and which one it replaced', () => {
  const keys = new PoolKeys();
  expect(keys.use('a', 2)).toEqual({ key: 'a@2', outdated: undefined, isProven: false });
  expect(keys.use('a', 2)).toMatchObject({ key: 'a@2', outdated: undefined });
  expect(keys.use('a', 3)).toMatchObject({ key: 'a@3', outdated: 'a@2' });
  expect(keys.use('a', 2)).toMatchObject({ key: 'a@2', outdated: undefined });
  expect([keys.find('a'), keys.forget('a'), keys.find('a')]).toEqual(['a@3', 'a@3', undefined]);
});

it('knows that others logged in with a version since it was last used', () => {
  const keys = new PoolKeys();
  const isProven = (version: number, logins: number) => keys.use('a', version, logins).isProven;
  expect([isProven(1, 4), isProven(1, 4), isProven(1, 5), isProven(1, 4), isProven(1, 5)]).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
  expect([isProven(2, 6), isProven(2, 7), isProven(1, 8)]).toEqual([false, true, false]);
});

it('forgets rows that were not used for long', async () => {
  const keys = new PoolKeys(40);
  for (let row = 0; row < 50; row += 1) keys.use(`old${row}`, 1);
  await until(() => {
    keys.use('new', 1);
    return keys.size === 1;
  });
  expect(keys.find('new')).toBe('new@1');
});
