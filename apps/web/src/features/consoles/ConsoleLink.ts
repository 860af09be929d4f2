import { type Attached, closeCodes, type Frame, readFrame } from './frames';
import { attempts, type LinkState, type Trouble } from './link-state';
import { Outbox } from './Outbox';
import { randomId } from './random-id';

const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000];
const pingMs = 20_000;
const secondPingMs = 2_000;
const silenceMs = 10_000;
/** A first login to the host takes longer than a reconnection to a running shell. */
const openMs = 45_000;
const reattachMs = 12_000;
const lostMs = 30_000;
const ackBytes = 32 * 1024;
const keptInput = 1024 * 1024;
const waitingInput = 64 * 1024;
/** A large paste is sent in parts, because the gateway closes a socket that floods it. */
const partBytes = 8 * 1024;
const partMs = 20;

export type Size = { cols: number; rows: number };
export type Query = Size & { ticket: string; client: string; console?: string; from?: number; input?: number };
/** `isFinal`: a new request would be refused too. */
export type Asked = { ticket: string } | { trouble: Trouble; isFinal: boolean };
type Heard = { message: { data: unknown }; close: { code: number } };
export type Socket = Pick<WebSocket, 'binaryType' | 'send' | 'close'> & {
  addEventListener: <K extends keyof Heard>(type: K, listener: (event: Heard[K]) => void) => void;
};
export type Door = {
  ask: () => Promise<Asked>;
  connect: (query: Query) => Socket;
  /** Looks up why a WebSocket was refused. */
  explain: () => Promise<Trouble | undefined>;
};

export type Arrival = {
  isNew: boolean;
  /** The first output was already shown before a reload. */
  isReplay: boolean;
  lostOutput: number;
  lostInput: number;
};

export type Listener = {
  onState: (state: LinkState) => void;
  onArrival: (arrival: Arrival) => void;
  /** `onConsumed` must be called once the bytes are on the screen: too many unconsumed bytes pause the shell. */
  onOutput: (bytes: Uint8Array, onConsumed: () => void) => void;
  onLatency: (ms: number) => void;
};

const troubles: Readonly<Record<number, Trouble & { isAlive: boolean }>> = {
  [closeCodes.sessionEnded]: {
    code: 'session_ended',
    message: 'Votre session est terminée, et cette console avec elle.',
    isAlive: false,
  },
  [closeCodes.gone]: { code: 'gone', message: 'Cette console n’existe plus.', isAlive: false },
  [closeCodes.takenOver]: { code: 'taken_over', message: 'Cette console a été reprise ailleurs.', isAlive: true },
  [closeCodes.flood]: { code: 'flood', message: 'Trop de données ont été envoyées à la fois.', isAlive: true },
};
const mayBeAlive = new Set(['taken_over', 'flood', 'too_many']);
const silent: Trouble = { code: 'unreachable', message: 'La console ne répond plus.' };
const unopened: Trouble = { code: 'unopened', message: "Impossible d'ouvrir la console." };
const refused: Trouble = { code: 'unreachable', message: "Échec d'ouverture de la console SSH (WebSocket)." };

/** A console over any number of sockets: no byte is shown twice, typed twice or left out. */
export class ConsoleLink {
  private state: LinkState = { at: 'connecting' };
  private socket: Socket | undefined;
  /** Counts the sockets, so that events of an earlier one are ignored. */
  private run = 0;
  private attempt = 0;
  private error: Trouble | undefined;
  private isAttached = false;
  private knowsInput = false;
  /** Offsets in the output: the socket's next byte, the next byte to show, the end of what is on the screen and what was acknowledged. */
  private streamed = 0;
  private received = 0;
  private consumed = 0;
  private acked = 0;
  private readonly outbox = new Outbox(keptInput);
  /** Offsets in the input: the next byte to send, the shell's own count when it last attached, and the end of what surely arrived. */
  private sent = 0;
  private told = 0;
  private heard = 0;
  /** Pings without a pong. A pong proves that all input sent before its ping has arrived. */
  private pings: { at: number; sent: number }[] = [];
  /** Lets the gateway tell whether another page typed last. */
  private readonly client = randomId();
  private timers: Partial<Record<'retry' | 'deadline' | 'ping' | 'silence' | 'part', ReturnType<typeof setTimeout>>> =
    {};

  constructor(
    private readonly door: Door,
    private readonly listener: Listener,
    private size: Size,
    private id?: string,
  ) {}

  get console(): string | undefined {
    return this.id;
  }

  open(): void {
    void this.attach();
  }

  type(bytes: Uint8Array): void {
    if (this.state.at === 'ended' || this.state.at === 'gone' || this.state.at === 'lost') return;
    if (!this.isAttached && this.outbox.end - this.sent + bytes.length > waitingInput) return;
    this.outbox.push(bytes, this.isAttached ? this.sent : 0);
    if (this.isAttached) this.flush();
  }

  resize(size: Size): void {
    if (size.cols === this.size.cols && size.rows === this.size.rows) return;
    this.size = size;
    if (this.isAttached) this.say({ type: 'resize', ...size });
  }

  /** Checks the connection now, because the network may have returned or been lost. */
  wake(): void {
    if (this.isAttached) this.ping();
    else if (this.state.at === 'reconnecting' || this.state.at === 'lost') void this.attach();
  }

  /** Takes the console back, even from another window. */
  retry(): void {
    this.attempt = 0;
    this.change({ at: 'connecting' });
    void this.attach();
  }

  /** Disconnects and leaves the shell running. */
  leave(): void {
    this.drop();
  }

  private async attach(): Promise<void> {
    this.drop();
    const { run } = this;
    const asked = await this.door.ask();
    if (run !== this.run) return;
    if ('trouble' in asked) {
      if (asked.isFinal) this.change({ at: 'gone', trouble: asked.trouble, isAlive: false });
      else this.fall(asked.trouble);
      return;
    }
    const known = this.id === undefined ? {} : { console: this.id, from: this.received, input: this.outbox.end };
    const socket = this.door.connect({ ticket: asked.ticket, client: this.client, ...this.size, ...known });
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.timers.deadline = setTimeout(() => this.fall(silent), this.id === undefined ? openMs : reattachMs);
    const told = this.size;
    socket.addEventListener('message', ({ data }) => {
      if (run === this.run) this.receive(data, told);
    });
    socket.addEventListener('close', ({ code }) => {
      if (run === this.run) this.close(code);
    });
  }

  private receive(data: unknown, told: Size): void {
    clearTimeout(this.timers.silence);
    if (data instanceof ArrayBuffer) {
      if (this.isAttached) this.show(new Uint8Array(data));
      return;
    }
    const frame = typeof data === 'string' ? readFrame(data) : undefined;
    if (frame) this.heed(frame, told);
  }

  private heed(frame: Frame, told: Size): void {
    if (frame.type === 'attached') this.arrive(frame, told);
    else if (frame.type === 'exit') this.stopAs({ at: 'ended', code: frame.code, signal: frame.signal });
    else if (frame.type === 'error') this.error = { code: frame.code, message: frame.message };
    else {
      const ping = this.pings.shift();
      if (!ping) return;
      this.heard = ping.sent;
      this.listener.onLatency(performance.now() - ping.at);
    }
  }

  private arrive(frame: Attached, told: Size): void {
    clearTimeout(this.timers.deadline);
    const isFirst = !this.knowsInput;
    this.id = frame.console;
    this.isAttached = true;
    this.attempt = 0;
    this.streamed = frame.from;
    this.received = Math.max(this.received, frame.from);
    if (isFirst) this.consumed = frame.from;
    this.acked = Math.max(this.consumed, frame.from);
    const lostInput = this.goOnTyping(frame);
    this.change({ at: 'connected' });
    this.listener.onArrival({
      isNew: frame.is_new,
      isReplay: isFirst && !frame.is_new,
      lostOutput: frame.lost,
      lostInput,
    });
    const { cols, rows } = this.size;
    if (told.cols !== cols || told.rows !== rows) this.say({ type: 'resize', cols, rows });
    this.flush();
    // The first pong waits behind the replayed output, so only the second one measures the latency.
    this.ping(secondPingMs);
  }

  /** Returns how many typed bytes are lost. */
  private goOnTyping({ input, is_others: isOthers }: Attached): number {
    // The shell's count includes the input of other pages, so it is unknown which of our bytes arrived. Half a line is worse than none.
    const isMixed = this.knowsInput && isOthers && input > this.told;
    let lost = 0;
    if (isMixed) {
      lost = Math.max(0, this.outbox.end - this.heard);
      this.outbox.forget(this.outbox.end);
    } else if (this.knowsInput) lost = this.outbox.forget(input);
    if (isMixed || !this.knowsInput) this.outbox.moveTo(input);
    this.knowsInput = true;
    this.sent = isMixed ? input : input + lost;
    this.told = input;
    this.heard = input;
    return lost;
  }

  /** Skips output that was already shown. */
  private show(bytes: Uint8Array): void {
    const fresh = bytes.subarray(Math.max(0, this.received - this.streamed));
    this.streamed += bytes.length;
    if (fresh.length === 0) return;
    this.received = this.streamed;
    const end = this.received;
    this.listener.onOutput(fresh, () => this.consume(end));
  }

  private consume(end: number): void {
    this.consumed = Math.max(this.consumed, end);
    if (!this.isAttached || this.consumed - this.acked < ackBytes) return;
    this.acked = this.consumed;
    this.say({ type: 'ack', offset: this.acked });
  }

  private flush(): void {
    clearTimeout(this.timers.part);
    for (let room = partBytes; room > 0 && this.sent < this.outbox.end; ) {
      const part = this.outbox.read(this.sent, room);
      if (part.length === 0) return;
      this.sent += part.length;
      room -= part.length;
      this.socket?.send(new Uint8Array(part));
    }
    if (this.sent < this.outbox.end) this.timers.part = setTimeout(() => this.flush(), partMs);
  }

  private ping(nextMs = pingMs): void {
    clearTimeout(this.timers.ping);
    clearTimeout(this.timers.silence);
    this.pings.push({ at: performance.now(), sent: this.sent });
    this.timers.silence = setTimeout(() => this.fall(silent), silenceMs);
    this.timers.ping = setTimeout(() => this.ping(), nextMs);
    this.say({ type: 'ping' });
  }

  private say(frame: object): void {
    this.socket?.send(JSON.stringify(frame));
  }

  private close(code: number): void {
    const { error } = this;
    if (error?.code === 'gone' && this.id === undefined) this.stop(unopened, false);
    else if (error && error.code !== 'unavailable') this.stop(error, mayBeAlive.has(error.code));
    else if (code === closeCodes.ended) this.stopAs({ at: 'ended', code: null, signal: null });
    else {
      const trouble = troubles[code];
      if (trouble) this.stop({ code: trouble.code, message: trouble.message }, trouble.isAlive);
      else if (this.id === undefined && !error) void this.explain();
      else this.fall(error ?? refused);
    }
  }

  private async explain(): Promise<void> {
    this.drop();
    const { run } = this;
    const trouble = await this.door.explain();
    if (run !== this.run) return;
    if (trouble) this.stop(trouble, false);
    else this.fall(refused);
  }

  private stop(trouble: Trouble, isAlive: boolean): void {
    // The other window types too, so the count of received input is no longer known here.
    if (trouble.code === 'taken_over') {
      this.outbox.forget(this.outbox.end);
      this.knowsInput = false;
    }
    this.stopAs({ at: 'gone', trouble, isAlive: isAlive && this.id !== undefined });
  }

  private stopAs(state: LinkState): void {
    this.drop();
    this.change(state);
  }

  private fall(trouble: Trouble): void {
    this.drop();
    const attach = () => void this.attach();
    if (this.attempt < attempts) {
      this.timers.retry = setTimeout(attach, backoffMs[this.attempt]);
      this.attempt += 1;
      const neverOpen = this.id === undefined && { unopened: trouble };
      this.change({ at: 'reconnecting', attempt: this.attempt, ...neverOpen });
    } else {
      if (this.id !== undefined) this.timers.retry = setTimeout(attach, lostMs);
      this.change({ at: 'lost', trouble });
    }
  }

  private drop(): void {
    this.run += 1;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.timers = {};
    this.pings = [];
    this.isAttached = false;
    this.error = undefined;
    this.socket?.close();
    this.socket = undefined;
  }

  private change(state: LinkState): void {
    this.state = state;
    this.listener.onState(state);
  }
}
