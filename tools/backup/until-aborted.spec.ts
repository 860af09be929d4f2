import { expect, it } from 'vitest';
import { untilAborted } from './until-aborted';

async function* pieces(onClose: () => void, isEndless: boolean) {
  try {
    yield Buffer.from('a');
    yield Buffer.from('b');
    if (isEndless) await new Promise(() => undefined);
  } finally {
    onClose();
  }
}

it('gives what comes, and closes it where nobody wants more', async () => {
  let closed = 0;
  const { signal } = new AbortController();
  const seen: string[] = [];
  for await (const piece of untilAborted(
    pieces(() => (closed += 1), false),
    signal,
  ))
    seen.push(piece.toString());
  for await (const _ of untilAborted(
    pieces(() => (closed += 1), false),
    signal,
  ))
    break;
  expect([seen, closed]).toEqual([['a', 'b'], 2]);
});

it('ends while nothing comes', async () => {
  const aborter = new AbortController();
  const seen: string[] = [];
  const read = async () => {
    for await (const piece of untilAborted(
      pieces(() => undefined, true),
      aborter.signal,
    )) {
      seen.push(piece.toString());
      if (seen.length === 2) setImmediate(() => aborter.abort(new Error('called off')));
    }
  };
  await expect(read()).rejects.toThrow('called off');
  expect(seen).toEqual(['a', 'b']);
});
