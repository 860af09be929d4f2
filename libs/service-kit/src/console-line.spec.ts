import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { AgentFrame, GatewayFrame } from '@vigie/contracts/console-frames';
import { ConsoleLine } from './console-line';
import { SealedFrames } from './sealed-frames';

it('ignores unknown frames, and goes on with the next one', () => {
  const key = randomBytes(32);
  const options = { key: key.toString('base64') };
  const ends = {
    gateway: new ConsoleLine('agent', options, 'a', GatewayFrame, () => undefined),
    agent: new ConsoleLine('gateway', options, 'a', AgentFrame, () => undefined),
  };
  for (const side of ['gateway', 'agent'] as const) {
    const frames = new SealedFrames(key, 'a', side);
    const receive = (text: string) => ends[side].open(frames.seal(1, Buffer.from(text)));
    expect([receive('{"type":"future"}'), receive('no JSON'), receive('null')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const knownFrame = side === 'gateway' ? { type: 'ping' } : { type: 'pong' };
    expect(receive(JSON.stringify(knownFrame))).toEqual(knownFrame);
  }
});
