import { type AttachSummary, type TicketResult, ConsoleLink, type ConnectQuery, type Socket } from './ConsoleLink';
import type { LinkState, Trouble } from './link-state';

type TestFrame = { type: string; [field: string]: unknown };
export const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

/** A fake gateway and shell that follow the protocol and keep the last 256 KiB of output. */
class FakeShell {
  printed = new Uint8Array(0);
  typed = '';
  private lastClient: string | undefined;
  acknowledged = 0;
  readonly sockets: FakeSocket[] = [];
  readonly frames: TestFrame[] = [];
  readonly tickets: string[] = [];
  answer: TicketResult | undefined;
  reason: Trouble | undefined;
  isReachable = true;
  isMute = false;

  readonly gateway = {
    requestTicket: async (): Promise<TicketResult> => {
      if (this.answer) return this.answer;
      this.tickets.push(`ticket-${this.tickets.length}`);
      return { ticket: this.tickets.at(-1) ?? '' };
    },
    connect: (query: ConnectQuery): Socket => {
      const socket = new FakeSocket(this, query);
      this.sockets.push(socket);
      return socket;
    },
    findRefusalReason: async () => this.reason,
  };

  get last(): FakeSocket {
    const last = this.sockets.at(-1);
    if (!last) throw new Error('no socket was opened');
    return last;
  }

  /** Receives input; the default client is another page. */
  receiveInput(input: string, client = 'another'): void {
    this.typed += input;
    this.lastClient = client;
  }

  isOthers(client: string): boolean {
    return this.lastClient !== undefined && this.lastClient !== client;
  }

  print(output: string): void {
    const more = bytes(output);
    this.printed = new Uint8Array([...this.printed, ...more]);
    this.last.deliver(more);
  }
}

class FakeSocket implements Socket {
  binaryType: BinaryType = 'blob';
  private readonly listeners: Partial<Record<string, (event: never) => void>> = {};
  isOpen = false;

  constructor(
    private readonly shell: FakeShell,
    readonly query: ConnectQuery,
  ) {}

  attach(changes: TestFrame | object = {}): void {
    const { console: id, from = 0 } = this.query;
    const lost = Math.max(0, this.shell.printed.length - 256 * 1024 - from);
    this.isOpen = true;
    const frame = {
      console: 'c1',
      from: from + lost,
      lost,
      input: bytes(this.shell.typed).length,
      is_new: id === undefined,
      is_others: this.shell.isOthers(this.query.client),
    };
    this.sendFrame({ type: 'attached', ...frame, ...changes });
    const start = { ...frame, ...changes }.from;
    if (start < this.shell.printed.length) this.deliver(this.shell.printed.slice(start));
  }

  deliver(data: Uint8Array): void {
    if (this.isOpen) this.fire('message', { data: new Uint8Array(data).buffer });
  }

  sendFrame(frame: TestFrame): void {
    this.fire('message', { data: JSON.stringify(frame) });
  }

  end(code: number): void {
    this.isOpen = false;
    this.fire('close', { code });
  }

  send(data: unknown): void {
    if (!this.isOpen || this.shell.isMute) return;
    if (data instanceof Uint8Array) {
      this.shell.receiveInput(text(data), this.query.client);
      return;
    }
    const frame = JSON.parse(String(data)) as TestFrame;
    this.shell.frames.push(frame);
    if (frame.type === 'ping') this.sendFrame({ type: 'pong' });
    if (frame.type === 'ack') this.shell.acknowledged = Number(frame['offset']);
  }

  close(): void {
    this.isOpen = false;
  }

  addEventListener: Socket['addEventListener'] = (type, listener) => {
    this.listeners[type] = listener;
  };

  private fire(type: string, event: object): void {
    this.listeners[type]?.(event as never);
  }
}

export function aLink(id?: string) {
  const shell = new FakeShell();
  const states: LinkState[] = [];
  const attachments: AttachSummary[] = [];
  const output = { text: '', consume: [] as (() => void)[] };
  const link = new ConsoleLink(
    shell.gateway,
    {
      onState: (state) => states.push(state),
      onAttached: (summary) => attachments.push(summary),
      onOutput: (data, onConsumed) => {
        output.text += text(data);
        output.consume.push(onConsumed);
      },
      onLatency: () => undefined,
    },
    { cols: 100, rows: 30 },
    id,
  );
  return { shell, link, states, attachments, output, lastState: () => states.at(-1) };
}
