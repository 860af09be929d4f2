import { expect, it } from 'vitest';
import { until } from '@vigie/testing/until';
import { PoolKeys } from './pool-keys';

it('knows the newest version that was used, and which one it replaced', () => {
  const keys = new PoolKeys();
  expect(keys.use('a', 2)).toEqual({ key: 'a@2', outdated: undefined });
  expect(keys.use('a', 2)).toEqual({ key: 'a@2', outdated: undefined });
  expect(keys.use('a', 3)).toEqual({ key: 'a@3', outdated: 'a@2' });
  expect(keys.use('a', 2)).toEqual({ key: 'a@2', outdated: undefined });
  expect([keys.find('a'), keys.forget('a'), keys.find('a')]).toEqual(['a@3', 'a@3', undefined]);
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
