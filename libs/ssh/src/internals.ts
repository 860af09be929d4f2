import type { Client, ClientChannel } from 'ssh2';

/**
 * The private parts of ssh2 1.17 that are used, all here: its version is exact in package.json, and the tests of a
 * dripping server, of one that takes no packets and of a stopped command fail when one of them changes.
 */
type Protocol = {
  parse(bytes: Buffer, start: number, length: number): void;
  signal(channel: number, name: string): void;
};
type Internals = { _protocol: Protocol };
type ChannelInternals = { outgoing: { id: number; state: string; packetSize: number }; _client: Internals };

const longestGreeting = 16_384;
const smallestPacket = 1_024;
/** Of a whole line: over a part of one this would try every way to cut it, at each byte that comes. */
const identification = /(?:^|\n)SSH-[^-\n]*-([^ \r\n]*)[^\n]*\n/;

export type Greeting = {
  /** All that came so far, before and with the identification. */
  text: string;
  isOver: boolean;
  /** Resolves with the name of the server's software. */
  over: Promise<string>;
};

/**
 * Gives the client nothing before the server's identification is whole: ssh2 loses bytes of one that comes in more than
 * two pieces. One that is too long throws into the client's own path for errors.
 */
export function holdGreeting(client: Client): Greeting {
  const { _protocol: protocol } = client as unknown as Internals;
  const parse = protocol.parse.bind(protocol);
  let bytes = Buffer.alloc(0);
  let tell: (software: string) => void = () => undefined;
  const greeting: Greeting = { text: '', isOver: false, over: new Promise((resolve) => (tell = resolve)) };
  protocol.parse = (chunk, start, length) => {
    bytes = Buffer.concat([bytes, chunk.subarray(start, length)]);
    greeting.text = bytes.toString('latin1');
    const whole = greeting.text.slice(0, greeting.text.lastIndexOf('\n') + 1);
    const software = identification.exec(whole)?.[1];
    if (software === undefined && bytes.length > longestGreeting) throw new Error('greeting too long');
    if (software === undefined) return;
    greeting.isOver = true;
    protocol.parse = parse;
    tell(software);
    parse(bytes, 0, bytes.length);
  };
  return greeting;
}

/** `channel.signal` does nothing once standard input was ended, which is always so here. */
export function sendSignal(channel: ClientChannel, name: 'TERM' | 'KILL'): void {
  const {
    outgoing,
    _client: { _protocol: protocol },
  } = channel as unknown as ChannelInternals;
  if (outgoing.state === 'open' || outgoing.state === 'eof') protocol.signal(outgoing.id, name);
}

/** ssh2 cuts what it writes into packets of the size that the host named: of 0 bytes it would never have written them. */
export const takesPackets = (channel: ClientChannel) =>
  (channel as unknown as ChannelInternals).outgoing.packetSize >= smallestPacket;

/** Options of `client.exec` that tell when the channel is open and the command itself is about to be sent. */
export function notifyWhenRequested(onRequest: () => void): { readonly env: undefined } {
  return {
    // ssh2 reads this between the two.
    get env() {
      onRequest();
      return undefined;
    },
  };
}
