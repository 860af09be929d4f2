import { expect, it } from 'vitest';
import { sendParts } from './parts';

const items = Array.from({ length: 250 }, (_, index) => `/var/www/${index}`);

it('sends a hundred items at once, one part after the other, and keeps the answers', async () => {
  let isBusy = false;
  const { answers, isComplete } = await sendParts(items, async (part) => {
    expect(isBusy).toBe(false);
    isBusy = true;
    await new Promise(setImmediate);
    isBusy = false;
    return part;
  });
  expect(isComplete).toBe(true);
  expect(answers.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(answers.flat()).toEqual(items);
});

it('stops at a failed part, and keeps the answers of those before it', async () => {
  const sent: string[][] = [];
  const { answers, isComplete } = await sendParts(items, (part) => {
    sent.push(part);
    return Promise.resolve(sent.length === 2 ? undefined : part);
  });
  expect([sent.length, isComplete, answers.flat().length]).toEqual([2, false, 100]);
});
