import { randomHex } from '../../ui/hex';
import { type AttachedFrame, closeCodes, type Frame, readFrame } from './frames';
import { InputBuffer } from './InputBuffer';
import { type LinkState, maxAttempts, type Trouble } from './link-state';

const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000];
const pingMs = 20_000;
const secondPingMs = 2_000;
const pongTimeoutMs = 10_000;
/** A first login to the host takes longer than a reconnection to a running shell. */
const openMs = 45_000;
const reattachMs = 12_000;
const lostRetryMs = 30_000;
const ackBytes = 32 * 1024;
const maxInputBuffer = 1024 * 1024;
const maxPendingInput = 64 * 1024;
/** A large paste is sent in parts, because the gateway closes a socket that floods it. */
const partBytes = 8 * 1024;
const partMs = 20;

export type Size = { cols: number; rows: number };
export type ConnectQuery = Size & { ticket: string; client: string; console?: string; from?: number; input?: number };
/** `isFinal`: a new request would be refused too. */
export type TicketResult = { ticket: string } | { trouble: Trouble; isFinal: boolean };
type SocketEvents = { message: { data: unknown }; close: { code: number } };
export type Socket = Pick<WebSocket, 'binaryType' | 'send' | 'close'> & {
  addEventListener: <K extends keyof SocketEvents>(type: K, listener: (event: SocketEvents[K]) => void) => void;
};
export type ConsoleGateway = {
  requestTicket: () => Promise<TicketResult>;
  connect: (query: ConnectQuery) => Socket;
  /** Looks up why a WebSocket was refused. */
  findRefusalReason: () => Promise<Trouble | undefined>;
};

export type AttachSummary = {
  isNew: boolean;
  /** The first output was already shown before a reload. */
  isReplay: boolean;
  lostOutput: number;
  lostInput: number;
};

type Listener = {
  onState: (state: LinkState) => void;
  onAttached: (summary: AttachSummary) => void;
  /** `onConsumed` must be called once the bytes are on the screen: too many unconsumed bytes pause the shell. */
  onOutput: (bytes: Uint8Array, onConsumed: () => void) => void;
  onLatency: (ms: number) => void;
};

const closeReasons: Readonly<Record<number, Trouble & { isAlive: boolean }>> = {
  [closeCodes.sessionEnded]: {
    code: 'session_ended',
    message: 'Votre session est terminée, et cette console avec elle.',
    isAlive: false,
  },
  [closeCodes.gone]: { code: 'gone', message: 'Cette console n’existe plus.', isAlive: false },
  [closeCodes.takenOver]: { code: 'taken_over', message: 'Cette console a été reprise ailleurs.', isAlive: true },
  [closeCodes.flood]: { code: 'flood', message: 'Trop de données ont été envoyées à la fois.', isAlive: true },
};
const aliveCodes = new Set(['taken_over', 'flood', 'too_many']);
const noResponse: Trouble = { code: 'unreachable', message: 'La console ne répond plus.' };
const notOpened: Trouble = { code: 'unopened', message: "Impossible d'ouvrir la console." };
const connectionFailed: Trouble = { code: 'unreachable', message: "Échec d'ouverture de la console SSH (WebSocket)." };

/** A console over any number of sockets: no byte is shown twice, typed twice or left out. */
export class ConsoleLink {
  private state: LinkState = { status: 'connecting' };
  private socket: Socket | undefined;
  /** Counts the sockets, so that events of an earlier one are ignored. */
  private generation = 0;
  private attempt = 0;
  private error: Trouble | undefined;
  private isAttached = false;
  private hasInputOffset = false;
  /** Offsets in the output: the socket's next byte, the next byte to show, the end of what is on the screen and what was acknowledged. */
  private socketOffset = 0;
  private received = 0;
  private consumed = 0;
  private acknowledged = 0;
  private readonly input = new InputBuffer(maxInputBuffer);
  /** Offsets in the input: the next byte to send, the shell's own count when it last attached, and the end of what surely arrived. */
  private sent = 0;
  private shellInputOffset = 0;
  private confirmedInput = 0;
  /** Pings without a pong. A pong proves that all input sent before its ping has arrived. */
  private pings: { at: number; sent: number }[] = [];
  /** Lets the gateway tell whether another page typed last. */
  private readonly client = randomId();
  private timers: Partial<Record<'retry' | 'deadline' | 'ping' | 'silence' | 'part', ReturnType<typeof setTimeout>>> =
    {};

  constructor(
    private readonly gateway: ConsoleGateway,
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
    if (this.state.status === 'ended' || this.state.status === 'gone' || this.state.status === 'lost') return;
    if (!this.isAttached && this.input.end - this.sent + bytes.length > maxPendingInput) return;
    this.input.push(bytes, this.isAttached ? this.sent : 0);
    if (this.isAttached) this.flush();
  }

  resize(size: Size): void {
    if (size.cols === this.size.cols && size.rows === this.size.rows) return;
    this.size = size;
    if (this.isAttached) this.sendFrame({ type: 'resize', ...size });
  }

  /** Checks the connection now, because the network may have returned or been lost. */
  wake(): void {
    if (this.isAttached) this.ping();
    else if (this.state.status === 'reconnecting' || this.state.status === 'lost') void this.attach();
  }

  /** Takes the console back, even from another window. */
  retry(): void {
    this.attempt = 0;
    this.setState({ status: 'connecting' });
    void this.attach();
  }

  /** Disconnects and leaves the shell running. */
  leave(): void {
    this.disconnect();
  }

  private async attach(): Promise<void> {
    this.disconnect();
    const { generation } = this;
    const ticket = await this.gateway.requestTicket();
    if (generation !== this.generation) return;
    if ('trouble' in ticket) {
      if (ticket.isFinal) this.setState({ status: 'gone', trouble: ticket.trouble, isAlive: false });
      else this.reconnectLater(ticket.trouble);
      return;
    }
    const resumePoint = this.id === undefined ? {} : { console: this.id, from: this.received, input: this.input.end };
    const socket = this.gateway.connect({ ticket: ticket.ticket, client: this.client, ...this.size, ...resumePoint });
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.timers.deadline = setTimeout(
      () => this.reconnectLater(noResponse),
      this.id === undefined ? openMs : reattachMs,
    );
    const requestedSize = this.size;
    socket.addEventListener('message', ({ data }) => {
      if (generation === this.generation) this.receive(data, requestedSize);
    });
    socket.addEventListener('close', ({ code }) => {
      if (generation === this.generation) this.close(code);
    });
  }

  private receive(data: unknown, requestedSize: Size): void {
    clearTimeout(this.timers.silence);
    if (data instanceof ArrayBuffer) {
      if (this.isAttached) this.showOutput(new Uint8Array(data));
      return;
    }
    const frame = typeof data === 'string' ? readFrame(data) : undefined;
    if (frame) this.applyFrame(frame, requestedSize);
  }

  private applyFrame(frame: Frame, requestedSize: Size): void {
    if (frame.type === 'attached') this.startSession(frame, requestedSize);
    else if (frame.type === 'exit') this.endAs({ status: 'ended', code: frame.code, signal: frame.signal });
    else if (frame.type === 'error') this.error = { code: frame.code, message: frame.message };
    else {
      const ping = this.pings.shift();
      if (!ping) return;
      this.confirmedInput = ping.sent;
      this.listener.onLatency(performance.now() - ping.at);
    }
  }

  private startSession(frame: AttachedFrame, requestedSize: Size): void {
    clearTimeout(this.timers.deadline);
    const isFirst = !this.hasInputOffset;
    this.id = frame.console;
    this.isAttached = true;
    this.attempt = 0;
    this.socketOffset = frame.from;
    this.received = Math.max(this.received, frame.from);
    if (isFirst) this.consumed = frame.from;
    this.acknowledged = Math.max(this.consumed, frame.from);
    const lostInput = this.resumeInput(frame);
    this.setState({ status: 'connected' });
    this.listener.onAttached({
      isNew: frame.is_new,
      isReplay: isFirst && !frame.is_new,
      lostOutput: frame.lost,
      lostInput,
    });
    const { cols, rows } = this.size;
    if (requestedSize.cols !== cols || requestedSize.rows !== rows) this.sendFrame({ type: 'resize', cols, rows });
    this.flush();
    // The first pong waits behind the replayed output, so only the second one measures the latency.
    this.ping(secondPingMs);
  }

  /** Returns how many typed bytes are lost. */
  private resumeInput({ input, is_others: isOthers }: AttachedFrame): number {
    // The shell's count includes the input of other pages, so it is unknown which of our bytes arrived. Half a line is worse than none.
    const hasForeignInput = this.hasInputOffset && isOthers && input > this.shellInputOffset;
    let lost = 0;
    if (hasForeignInput) {
      lost = Math.max(0, this.input.end - this.confirmedInput);
      this.input.discard(this.input.end);
    } else if (this.hasInputOffset) lost = this.input.discard(input);
    if (hasForeignInput || !this.hasInputOffset) this.input.moveTo(input);
    this.hasInputOffset = true;
    this.sent = hasForeignInput ? input : input + lost;
    this.shellInputOffset = input;
    this.confirmedInput = input;
    return lost;
  }

  /** Skips output that was already shown. */
  private showOutput(bytes: Uint8Array): void {
    const newBytes = bytes.subarray(Math.max(0, this.received - this.socketOffset));
    this.socketOffset += bytes.length;
    if (newBytes.length === 0) return;
    this.received = this.socketOffset;
    const end = this.received;
    this.listener.onOutput(newBytes, () => this.consume(end));
  }

  private consume(end: number): void {
    this.consumed = Math.max(this.consumed, end);
    if (!this.isAttached || this.consumed - this.acknowledged < ackBytes) return;
    this.acknowledged = this.consumed;
    this.sendFrame({ type: 'ack', offset: this.acknowledged });
  }

  private flush(): void {
    clearTimeout(this.timers.part);
    for (let room = partBytes; room > 0 && this.sent < this.input.end; ) {
      const part = this.input.read(this.sent, room);
      if (part.length === 0) return;
      this.sent += part.length;
      room -= part.length;
      this.socket?.send(new Uint8Array(part));
    }
    if (this.sent < this.input.end) this.timers.part = setTimeout(() => this.flush(), partMs);
  }

  private ping(nextMs = pingMs): void {
    clearTimeout(this.timers.ping);
    clearTimeout(this.timers.silence);
    this.pings.push({ at: performance.now(), sent: this.sent });
    this.timers.silence = setTimeout(() => this.reconnectLater(noResponse), pongTimeoutMs);
    this.timers.ping = setTimeout(() => this.ping(), nextMs);
    this.sendFrame({ type: 'ping' });
  }

  private sendFrame(frame: object): void {
    this.socket?.send(JSON.stringify(frame));
  }

  private close(code: number): void {
    const { error } = this;
    if (error?.code === 'gone' && this.id === undefined) this.stop(notOpened, false);
    else if (error && error.code !== 'unavailable') this.stop(error, aliveCodes.has(error.code));
    else if (code === closeCodes.ended) this.endAs({ status: 'ended', code: null, signal: null });
    else {
      const trouble = closeReasons[code];
      if (trouble) this.stop({ code: trouble.code, message: trouble.message }, trouble.isAlive);
      else if (this.id === undefined && !error) void this.findRefusalReason();
      else this.reconnectLater(error ?? connectionFailed);
    }
  }

  private async findRefusalReason(): Promise<void> {
    this.disconnect();
    const { generation } = this;
    const trouble = await this.gateway.findRefusalReason();
    if (generation !== this.generation) return;
    if (trouble) this.stop(trouble, false);
    else this.reconnectLater(connectionFailed);
  }

  private stop(trouble: Trouble, isAlive: boolean): void {
    // The other window types too, so the count of received input is no longer known here.
    if (trouble.code === 'taken_over') {
      this.input.discard(this.input.end);
      this.hasInputOffset = false;
    }
    this.endAs({ status: 'gone', trouble, isAlive: isAlive && this.id !== undefined });
  }

  private endAs(state: LinkState): void {
    this.disconnect();
    this.setState(state);
  }

  private reconnectLater(trouble: Trouble): void {
    this.disconnect();
    const attach = () => void this.attach();
    if (this.attempt < maxAttempts) {
      this.timers.retry = setTimeout(attach, backoffMs[this.attempt]);
      this.attempt += 1;
      const reason = this.id === undefined && { unopened: trouble };
      this.setState({ status: 'reconnecting', attempt: this.attempt, ...reason });
    } else {
      if (this.id !== undefined) this.timers.retry = setTimeout(attach, lostRetryMs);
      this.setState({ status: 'lost', trouble });
    }
  }

  private disconnect(): void {
    this.generation += 1;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.timers = {};
    this.pings = [];
    this.isAttached = false;
    this.error = undefined;
    this.socket?.close();
    this.socket = undefined;
  }

  private setState(state: LinkState): void {
    this.state = state;
    this.listener.onState(state);
  }
}

/** A UUID, also without a secure context. */
function randomId(): string {
  const hex = randomHex(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
