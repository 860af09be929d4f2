import { expect, it } from 'vitest';
import type { Client } from 'ssh2';
import { holdGreeting } from './internals';

function greet(text: string) {
  const protocol = { parse: () => undefined as void };
  const greeting = holdGreeting({ _protocol: protocol } as unknown as Client);
  const parse = protocol.parse as (bytes: Buffer, start: number, length: number) => void;
  for (const byte of Buffer.from(text)) parse(Buffer.of(byte), 0, 1);
  return greeting;
}

it('finds the name of the software behind other lines, byte by byte', async () => {
  const { over } = greet('Bienvenue\r\nSSH-2.0-OpenSSH_9.2p1 Debian\r\n');
  expect(await over).toBe('OpenSSH_9.2p1');
});

it.each(['SSH-2.0-', 'Bienvenue\nSSH-2.0-'])(
  'costs a host that drips a line without an end no time of ours: %j',
  (start) => {
    // In time squared by each byte, this would take an hour.
    expect(greet(start + 'a-'.repeat(7_000)).isOver).toBe(false);
  },
);
