import { expect, it } from 'vitest';
import { importParts } from './import-parts';

const items = Array.from({ length: 250 }, (_, index) => `/var/www/${index}`);
const answerTo = (paths: string[]) => ({
  items: paths.map((path) => ({ id: path, name: path, path })),
  skipped: [{ path: paths[0] ?? '', site_id: 'known' }],
});

it('imports a hundred sites at once, one part after the other, and joins the answers', async () => {
  const sizes: number[] = [];
  let isBusy = false;
  const outcome = await importParts(items, async (part) => {
    expect(isBusy).toBe(false);
    isBusy = true;
    await new Promise(setImmediate);
    isBusy = false;
    sizes.push(part.length);
    return answerTo(part);
  });
  expect(sizes).toEqual([100, 100, 50]);
  expect(outcome.isComplete).toBe(true);
  expect(outcome.imported.items.map(({ path }) => path)).toEqual(items);
  expect(outcome.imported.skipped.map(({ path }) => path)).toEqual(['/var/www/0', '/var/www/100', '/var/www/200']);
});

it('stops at a failed part, and keeps the sites imported before it', async () => {
  const sent: string[][] = [];
  const { imported, isComplete } = await importParts(items, (part) => {
    sent.push(part);
    return Promise.resolve(sent.length === 2 ? undefined : answerTo(part));
  });
  expect([sent.length, isComplete, imported.items.length]).toEqual([2, false, 100]);
});
