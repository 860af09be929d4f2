import { expect, it } from 'vitest';
import type { Client } from 'ssh2';
import { bufferGreeting } from './internals';

function greet(text: string) {
  const protocol = { parse: () => undefined as void };
  const greeting = bufferGreeting({ _protocol: protocol } as unknown as Client);
  const parse = protocol.parse as (bytes: Buffer, start: number, length: number) => void;
  for (const byte of Buffer.from(text)) parse(Buffer.of(byte), 0, 1);
  return greeting;
}

it('finds the software name after other lines, byte by byte', async () => {
  const { software } = greet('Bienvenue\r\nSSH-2.0-OpenSSH_9.2p1 Debian\r\n');
  expect(await software).toBe('OpenSSH_9.2p1');
});

it.each(['SSH-2.0-', 'Bienvenue\nSSH-2.0-'])('costs little time when a host drips an endless line: %j', (start) => {
  // Quadratic time would take an hour.
  expect(greet(start + 'a-'.repeat(7_000)).isComplete).toBe(false);
});
