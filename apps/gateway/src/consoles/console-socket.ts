import { StringDecoder } from 'node:string_decoder';
import {
  type AgentFrame,
  ClientMessage,
  consoleProtocol,
  type ConsoleTrouble,
  largestFrame,
} from '@vigie/contracts/console-frames';
import type { ConsoleSize } from '@vigie/contracts/consoles';
import type { RawData, WebSocket } from 'ws';
import type { LinkEvents } from './console-link';
import { InputBudget } from './input-budget';
import { closeCodes, sentences } from './troubles';

/** Input that has not left for the host: beyond it nothing more is read from whoever types. */
const maxInput = 262_144;
const acknowledgeEvery = 32_768;
/** Of what nobody reads: an agent sends no more output than its window. */
const maxUnread = 1_048_576;
/** After how long a silence it is asked whether anybody is there, and given up. */
const patience = { lookMs: 5_000, pingMs: 20_000, idleMs: 60_000 };
const closeMs = 1_000;
/** The last of the output and how the shell ended may have a slow way to go. */
const goodbyeMs = 30_000;

type Link = {
  send: (
    frame: { type: 'ack'; offset: number } | ({ type: 'resize' } & ConsoleSize) | { type: 'close' | 'detach' },
  ) => void;
  type: (bytes: Uint8Array) => void;
  close: () => void;
};

/** One websocket at one console: what the one side says, the other hears, no faster than it can. */
export class ConsoleSocket implements LinkEvents {
  private link: Link | undefined;
  private readonly isPlain: boolean;
  private readonly decoder = new StringDecoder('utf8');
  private readonly budget = new InputBudget();
  private isOver = false;
  private isReady = false;
  private isEnding = false;
  private size: ConsoleSize | undefined;
  private readonly early: Buffer[] = [];
  /** Places in the stream of output: what was sent, what has left us, what the reader has read and what we said of it. */
  private sent = 0;
  private flushed = 0;
  private read = 0;
  private told = 0;
  /** Places in the stream of input: what was typed, and what has left for the host. */
  private typed = 0;
  private taken = 0;
  private heardAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly ws: WebSocket,
    private readonly console: string,
    private readonly onClosed: () => void,
    private readonly silence = patience,
  ) {
    this.timer = setInterval(() => this.look(), silence.lookMs);
    this.isPlain = ws.protocol !== consoleProtocol;
    ws.on('message', (data, isBinary) => this.hear(data, isBinary))
      .on('ping', (data) => this.admit() && !this.isOver && ws.pong(data))
      .on('pong', () => this.admit())
      .on('error', () => undefined)
      .on('close', () => this.leave());
  }

  /** Whether the shell waits for somebody to come back. */
  get keeps(): boolean {
    return !this.isPlain;
  }

  get isClosed(): boolean {
    return this.isOver;
  }

  /** Nobody wants the shell any more, or knows of it. */
  mustEnd(isNew: boolean): boolean {
    return this.isOver && (this.isPlain || this.isEnding || (isNew && !this.isReady));
  }

  begin(link: Link): void {
    this.link = link;
  }

  /** All that came on the connection, also what is no whole message yet. */
  countBytes(bytes: number): void {
    if (!this.budget.spend(bytes, 0)) this.fail('flood');
  }

  onBytes(bytes: Buffer): void {
    if (this.isOver) return;
    if (this.ws.bufferedAmount > maxUnread) return this.fail('unavailable');
    this.sent += bytes.length;
    const place = this.sent;
    const done = () => {
      this.flushed = place;
      this.acknowledge();
    };
    if (!this.isPlain) return this.ws.send(bytes, done);
    const text = this.decoder.write(bytes);
    // Half a character goes with the rest of it.
    return text === '' ? undefined : this.ws.send(text, done);
  }

  onFrame(frame: AgentFrame): void {
    if (this.isOver) return;
    if (frame.type === 'attached') this.start(frame);
    if (frame.type === 'taken') this.take(frame.input);
    if (frame.type === 'error') this.fail(frame.code, frame.message);
    if (frame.type !== 'exit') return;
    this.say(frame);
    this.close(1000, 'exit');
  }

  onLost(trouble: 'gone' | 'unavailable'): void {
    this.fail(trouble);
  }

  fail(code: ConsoleTrouble, message: string = sentences[code]): void {
    if (this.isOver) return;
    this.say({ type: 'error', message, code });
    // A flood is ended where it is: waiting for its last word would be reading on.
    this.close(closeCodes[code], code);
  }

  /** This process stops; the shell does not. */
  stop(): void {
    this.close(1001, 'stopping');
  }

  terminate(): void {
    this.ws.terminate();
  }

  private start(frame: Extract<AgentFrame, { type: 'attached' }>): void {
    const { from, input } = frame;
    this.sent = from;
    this.flushed = from;
    this.read = from;
    this.told = from;
    this.typed = input;
    this.taken = input;
    this.isReady = true;
    this.say({ ...frame, console: this.console });
    if (this.size) this.link?.send({ type: 'resize', ...this.size });
    for (const bytes of this.early.splice(0)) this.type(bytes);
  }

  private hear(data: RawData, isBinary: boolean): void {
    if (!this.admit() || this.isOver) return;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    if (this.isPlain || isBinary) this.type(bytes);
    else this.obey(bytes.toString());
  }

  /** Control frames count like any other. */
  private admit(): boolean {
    this.heardAt = performance.now();
    const isAdmitted = this.budget.spend(0, 1);
    if (!isAdmitted || this.ws.bufferedAmount > maxUnread + maxInput) this.fail('flood');
    return isAdmitted;
  }

  private obey(text: string): void {
    const message = readMessage(text);
    if (!message) return this.close(1008, 'message');
    if (message.type === 'ping') return this.say({ type: 'pong' });
    if (message.type === 'resize') {
      this.size = { cols: message.cols, rows: message.rows };
      if (this.isReady) this.link?.send({ type: 'resize', ...this.size });
    }
    if (message.type === 'ack') {
      this.read = Math.max(this.read, message.offset);
      this.acknowledge();
    }
    if (message.type === 'close') this.endShell();
    return undefined;
  }

  private endShell(): void {
    if (this.isReady) return this.link?.send({ type: 'close' });
    // Nobody may hear it yet.
    this.isEnding = true;
    return this.close(1000, 'close');
  }

  private type(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.isReady) this.link?.type(bytes);
    else this.early.push(bytes);
    this.typed += bytes.length;
    // One frame more may come before it is heard.
    if (this.typed - this.taken > maxInput - largestFrame) this.ws.pause();
  }

  private take(input: number): void {
    this.taken = input;
    if (!this.ws.isPaused) return;
    this.heardAt = performance.now();
    if (this.typed - this.taken <= maxInput / 2) this.ws.resume();
  }

  /** What has left us and was read: either alone would let the other pile up. */
  private acknowledge(): void {
    const offset = this.isPlain ? this.flushed : Math.min(this.read, this.flushed);
    if (this.isOver || offset - this.told < acknowledgeEvery) return;
    this.told = offset;
    this.link?.send({ type: 'ack', offset });
  }

  private say(message: object): void {
    if (!this.isPlain && this.ws.readyState === this.ws.OPEN) this.ws.send(JSON.stringify(message));
  }

  /** Silent for a minute although it was asked: nobody is there any more. */
  private look(): void {
    const { isPaused } = this.ws;
    const silentMs = performance.now() - this.heardAt;
    // Whoever is not read cannot answer: there it is the host that is silent.
    if (silentMs > this.silence.idleMs) return isPaused ? this.fail('unavailable') : this.close(4408, 'idle');
    if (!isPaused && silentMs > this.silence.pingMs && this.ws.readyState === this.ws.OPEN) this.ws.ping();
    return undefined;
  }

  private close(code: number, reason: string): void {
    if (this.isOver) return;
    this.ws.resume();
    this.ws.close(code, reason);
    setTimeout(() => this.ws.terminate(), code === 1000 ? goodbyeMs : closeMs).unref();
    this.leave();
  }

  private leave(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.link?.send({ type: this.isPlain || this.isEnding ? 'close' : 'detach' });
    this.link?.close();
    this.onClosed();
  }
}

function readMessage(text: string): ClientMessage | undefined {
  try {
    return ClientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
