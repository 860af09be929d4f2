import { StringDecoder } from 'node:string_decoder';
import {
  type AgentFrame,
  ClientMessage,
  consoleProtocol,
  type ConsoleTrouble,
  maxConsoleFrameBytes,
} from '@vigie/contracts/console-frames';
import type { ConsoleSize } from '@vigie/contracts/consoles';
import type { RawData, WebSocket } from 'ws';
import type { LinkEvents } from './console-link';
import { InputBudget } from './input-budget';
import { closeCodes, sentences } from './troubles';

/** Bytes of input that the host has not taken yet; beyond it the WebSocket is paused. */
const maxInput = 262_144;
const acknowledgeEvery = 32_768;
/** Bytes of output that the client has not read; an agent sends no more than its window. */
const maxUnread = 1_048_576;
/** After which silence of the client a ping is sent, and the connection closed. */
const defaultSilence = { checkMs: 5_000, pingMs: 20_000, idleMs: 60_000 };
const closeMs = 1_000;
/** Longer, since the last output and the exit code may take a while to arrive. */
const exitCloseMs = 30_000;

type Link = {
  send: (
    frame: { type: 'ack'; offset: number } | ({ type: 'resize' } & ConsoleSize) | { type: 'close' | 'detach' },
  ) => void;
  write: (bytes: Uint8Array) => void;
  close: () => void;
};

/** One WebSocket attached to one console; each side is read no faster than the other can take it. */
export class ConsoleSocket implements LinkEvents {
  private link: Link | undefined;
  private readonly isPlain: boolean;
  private readonly decoder = new StringDecoder('utf8');
  private readonly budget = new InputBudget();
  private isOver = false;
  private isReady = false;
  private endsShell = false;
  private size: ConsoleSize | undefined;
  private readonly earlyInput: Buffer[] = [];
  /** Offsets in the output: sent to the client, flushed from our buffer, read by the client, acknowledged to the agent. */
  private sent = 0;
  private flushed = 0;
  private read = 0;
  private acknowledged = 0;
  /** Offsets in the input: typed by the client, and delivered to the host. */
  private typed = 0;
  private delivered = 0;
  private lastMessageAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly ws: WebSocket,
    private readonly console: string,
    private readonly onClosed: () => void,
    private readonly silence = defaultSilence,
  ) {
    this.timer = setInterval(() => this.checkSilence(), silence.checkMs);
    this.isPlain = ws.protocol !== consoleProtocol;
    ws.on('message', (data, isBinary) => this.receive(data, isBinary))
      .on('ping', (data) => this.countMessage() && !this.isOver && ws.pong(data))
      .on('pong', () => this.countMessage())
      .on('error', () => undefined)
      .on('close', () => this.finish());
  }

  /** Whether the shell is kept for the client to come back. */
  get keeps(): boolean {
    return !this.isPlain;
  }

  get isClosed(): boolean {
    return this.isOver;
  }

  /** Whether the shell must end, because the client closed it or does not know of it. */
  mustEnd(isNew: boolean): boolean {
    return this.isOver && (this.isPlain || this.endsShell || (isNew && !this.isReady));
  }

  connect(link: Link): void {
    this.link = link;
  }

  /** Counts all bytes of the connection, including incomplete messages. */
  countBytes(bytes: number): void {
    if (!this.budget.spend(bytes, 0)) this.fail('flood');
  }

  onBytes(bytes: Buffer): void {
    if (this.isOver) return;
    if (this.ws.bufferedAmount > maxUnread) return this.fail('unavailable');
    this.sent += bytes.length;
    const offset = this.sent;
    const done = () => {
      this.flushed = offset;
      this.acknowledge();
    };
    if (!this.isPlain) return this.ws.send(bytes, done);
    const text = this.decoder.write(bytes);
    // The beginning of a character is sent with the rest of it.
    return text === '' ? undefined : this.ws.send(text, done);
  }

  onFrame(frame: AgentFrame): void {
    if (this.isOver) return;
    if (frame.type === 'attached') this.start(frame);
    if (frame.type === 'taken') this.noteDelivered(frame.input);
    if (frame.type === 'error') this.fail(frame.code, frame.message);
    if (frame.type !== 'exit') return;
    this.sendMessage(frame);
    this.close(1000, 'exit');
  }

  onLost(trouble: 'gone' | 'unavailable'): void {
    this.fail(trouble);
  }

  fail(code: ConsoleTrouble, message: string = sentences[code]): void {
    if (this.isOver) return;
    this.sendMessage({ type: 'error', message, code });
    // No handshake is awaited after a flood, which would mean reading on.
    this.close(closeCodes[code], code);
  }

  /** Closes the WebSocket when this process stops; the shell goes on. */
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
    this.acknowledged = from;
    this.typed = input;
    this.delivered = input;
    this.isReady = true;
    this.sendMessage({ ...frame, console: this.console });
    if (this.size) this.link?.send({ type: 'resize', ...this.size });
    for (const bytes of this.earlyInput.splice(0)) this.write(bytes);
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (!this.countMessage() || this.isOver) return;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    if (this.isPlain || isBinary) this.write(bytes);
    else this.applyMessage(bytes.toString());
  }

  /** Counts a message; control frames count too. */
  private countMessage(): boolean {
    this.lastMessageAt = performance.now();
    const isWithinBudget = this.budget.spend(0, 1);
    if (!isWithinBudget || this.ws.bufferedAmount > maxUnread + maxInput) this.fail('flood');
    return isWithinBudget;
  }

  private applyMessage(text: string): void {
    const message = readMessage(text);
    if (!message) return this.close(1008, 'message');
    if (message.type === 'ping') return this.sendMessage({ type: 'pong' });
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
    // No link is there yet to send this to.
    this.endsShell = true;
    return this.close(1000, 'close');
  }

  private write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.isReady) this.link?.write(bytes);
    else this.earlyInput.push(bytes);
    this.typed += bytes.length;
    // One more frame may arrive before the pause takes effect.
    if (this.typed - this.delivered > maxInput - maxConsoleFrameBytes) this.ws.pause();
  }

  private noteDelivered(input: number): void {
    this.delivered = input;
    if (!this.ws.isPaused) return;
    this.lastMessageAt = performance.now();
    if (this.typed - this.delivered <= maxInput / 2) this.ws.resume();
  }

  /** Acknowledges output that was both flushed and read: either alone would let the other pile up. */
  private acknowledge(): void {
    const offset = this.isPlain ? this.flushed : Math.min(this.read, this.flushed);
    if (this.isOver || offset - this.acknowledged < acknowledgeEvery) return;
    this.acknowledged = offset;
    this.link?.send({ type: 'ack', offset });
  }

  private sendMessage(message: object): void {
    if (!this.isPlain && this.ws.readyState === this.ws.OPEN) this.ws.send(JSON.stringify(message));
  }

  /** Pings a silent client, and closes the connection of one that stays silent. */
  private checkSilence(): void {
    const { isPaused } = this.ws;
    const silentMs = performance.now() - this.lastMessageAt;
    // A paused client cannot answer: it is the host that takes no input.
    if (silentMs > this.silence.idleMs) return isPaused ? this.fail('unavailable') : this.close(4408, 'idle');
    if (!isPaused && silentMs > this.silence.pingMs && this.ws.readyState === this.ws.OPEN) this.ws.ping();
    return undefined;
  }

  private close(code: number, reason: string): void {
    if (this.isOver) return;
    this.ws.resume();
    this.ws.close(code, reason);
    setTimeout(() => this.ws.terminate(), code === 1000 ? exitCloseMs : closeMs).unref();
    this.finish();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.link?.send({ type: this.isPlain || this.endsShell ? 'close' : 'detach' });
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
