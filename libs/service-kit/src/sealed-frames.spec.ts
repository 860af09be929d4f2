import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { SealedFrames } from './sealed-frames';

const key = randomBytes(32);
const pair = (context = 'a') => ({
  gateway: new SealedFrames(key, context, 'gateway'),
  agent: new SealedFrames(key, context, 'agent'),
});
const text = Buffer.from('ls -l\r');

it('opens the frames of the other side, in order', () => {
  const { gateway, agent } = pair();
  const frames = [gateway.seal(0, text), gateway.seal(1, Buffer.alloc(0))];
  expect(frames[0]?.includes(text)).toBe(false);
  expect(frames.map((frame) => agent.open(frame))).toEqual([
    { kind: 0, body: text },
    { kind: 1, body: Buffer.alloc(0) },
  ]);
});

it('does not open a frame that is repeated, its own, of another place, of another key, or changed', () => {
  const { gateway, agent } = pair();
  const frame = gateway.seal(0, text);
  const elsewhere = new SealedFrames(key, 'b', 'gateway').seal(0, text);
  const stranger = new SealedFrames(randomBytes(32), 'a', 'gateway').seal(0, text);
  const changed = Buffer.from(frame);
  changed[10] = (changed[10] ?? 0) ^ 1;
  for (const forged of [elsewhere, stranger, changed, agent.seal(0, text), Buffer.alloc(0), frame.subarray(0, -1)]) {
    expect(agent.open(forged)).toBeUndefined();
  }
  expect(agent.open(frame)).toEqual({ kind: 0, body: text });
  expect(agent.open(frame)).toBeUndefined();
});

it('notices a missing frame', () => {
  const { gateway, agent } = pair();
  gateway.seal(0, text);
  expect(agent.open(gateway.seal(0, text))).toBe('missed');
});
