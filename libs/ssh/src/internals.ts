import type { Client, ClientChannel } from 'ssh2';

/**
 * The private parts of ssh2 1.17 that Vigie uses. package.json pins the exact version; the tests of a dripping server,
 * of a server that accepts no packets and of a stopped command fail when one of these parts changes.
 */
type Protocol = {
  parse(bytes: Buffer, start: number, length: number): void;
  signal(channel: number, name: string): void;
};
type Internals = { _protocol: Protocol };
type ChannelInternals = { outgoing: { id: number; state: string; packetSize: number }; _client: Internals };

const maxGreetingBytes = 16_384;
const minPacketBytes = 1_024;
/** Applied to complete lines only: on a partial line it would backtrack again at each byte received. */
const identification = /(?:^|\n)SSH-[^-\n]*-([^ \r\n]*)[^\n]*\n/;

export type Greeting = {
  /** Everything received up to and including the identification line. */
  text: string;
  isComplete: boolean;
  /** Resolves with the name of the server's software. */
  software: Promise<string>;
};

/**
 * Buffers the server's identification and passes it to ssh2 when it is complete, because ssh2 loses bytes of an
 * identification that arrives in more than two pieces. One that is too long throws, and the client reports the error.
 */
export function bufferGreeting(client: Client): Greeting {
  const { _protocol: protocol } = client as unknown as Internals;
  const parse = protocol.parse.bind(protocol);
  let bytes = Buffer.alloc(0);
  let resolveSoftware: (software: string) => void = () => undefined;
  const greeting: Greeting = {
    text: '',
    isComplete: false,
    software: new Promise((resolve) => (resolveSoftware = resolve)),
  };
  protocol.parse = (chunk, start, length) => {
    bytes = Buffer.concat([bytes, chunk.subarray(start, length)]);
    greeting.text = bytes.toString('latin1');
    const completeLines = greeting.text.slice(0, greeting.text.lastIndexOf('\n') + 1);
    const software = identification.exec(completeLines)?.[1];
    if (software === undefined && bytes.length > maxGreetingBytes) throw new Error('greeting too long');
    if (software === undefined) return;
    greeting.isComplete = true;
    protocol.parse = parse;
    resolveSoftware(software);
    parse(bytes, 0, bytes.length);
  };
  return greeting;
}

/** Replaces `channel.signal`, which does nothing once standard input has ended, as it always has here. */
export function sendSignal(channel: ClientChannel, name: 'TERM' | 'KILL'): void {
  const {
    outgoing,
    _client: { _protocol: protocol },
  } = channel as unknown as ChannelInternals;
  if (outgoing.state === 'open' || outgoing.state === 'eof') protocol.signal(outgoing.id, name);
}

/** ssh2 writes in packets of the size that the host announces; with a size of 0 it would loop forever. */
export const acceptsPackets = (channel: ClientChannel) =>
  (channel as unknown as ChannelInternals).outgoing.packetSize >= minPacketBytes;

/** Options of `client.exec` that call back when the channel is open and the command is about to be sent. */
export function notifyWhenRequested(onRequest: () => void): { readonly env: undefined } {
  return {
    // ssh2 reads this property between the two.
    get env() {
      onRequest();
      return undefined;
    },
  };
}
