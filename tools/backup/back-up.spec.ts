import { expect, it } from 'vitest';
import { untilAborted } from './back-up';

async function* pieces(onClose: () => void, isEndless: boolean) {
  try {
    yield Buffer.from('a');
    yield Buffer.from('b');
    if (isEndless) await new Promise(() => undefined);
  } finally {
    onClose();
  }
}

it('passes pieces on, and closes the source when the reader stops', async () => {
  let closed = 0;
  const { signal } = new AbortController();
  const received: string[] = [];
  for await (const piece of untilAborted(
    pieces(() => (closed += 1), false),
    signal,
  ))
    received.push(piece.toString());
  for await (const _ of untilAborted(
    pieces(() => (closed += 1), false),
    signal,
  ))
    break;
  expect([received, closed]).toEqual([['a', 'b'], 2]);
});

it('ends even while it waits for the next piece', async () => {
  const aborter = new AbortController();
  const received: string[] = [];
  const read = async () => {
    for await (const piece of untilAborted(
      pieces(() => undefined, true),
      aborter.signal,
    )) {
      received.push(piece.toString());
      if (received.length === 2) setImmediate(() => aborter.abort(new Error('called off')));
    }
  };
  await expect(read()).rejects.toThrow('called off');
  expect(received).toEqual(['a', 'b']);
});
