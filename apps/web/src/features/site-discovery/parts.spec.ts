import { expect, it } from 'vitest';
import { importParts } from './parts';

const items = Array.from({ length: 250 }, (_, at) => `/var/www/${at}`);
const made = (paths: string[]) => ({
  items: paths.map((path) => ({ id: path, name: path, path })),
  skipped: [{ path: paths[0] ?? '', site_id: 'known' }],
});

it('imports a hundred at once, one part after the other, and joins what came of them', async () => {
  const sizes: number[] = [];
  let isBusy = false;
  const whole = await importParts(items, async (part) => {
    expect(isBusy).toBe(false);
    isBusy = true;
    await new Promise(setImmediate);
    isBusy = false;
    sizes.push(part.length);
    return made(part);
  });
  expect(sizes).toEqual([100, 100, 50]);
  expect(whole.isWhole).toBe(true);
  expect(whole.made.items.map(({ path }) => path)).toEqual(items);
  expect(whole.made.skipped.map(({ path }) => path)).toEqual(['/var/www/0', '/var/www/100', '/var/www/200']);
});

it('ends at a part that fails, with what was made before it', async () => {
  const sent: string[][] = [];
  const { made: before, isWhole } = await importParts(items, (part) => {
    sent.push(part);
    return Promise.resolve(sent.length === 2 ? undefined : made(part));
  });
  expect([sent.length, isWhole, before.items.length]).toEqual([2, false, 100]);
});
