import type { Socket } from 'node:net';
import type { ClientChannel } from 'ssh2';
import { Attempt } from './attempt';
import { dial, within } from './dial';
import { type Phase, SshFailure } from './failure';
import { sendSignal, takesPackets, notifyWhenRequested } from './internals';
import type { SshTarget } from './target';

/** A phase of connecting that is over, for a diagnosis step by step. The one that fails is in the failure. */
export type Step = { ms: number } & (
  | { phase: 'resolve'; addresses: readonly string[] }
  | { phase: 'connect'; address: string }
  | { phase: 'handshake'; hostKey: string; software: string }
  | { phase: 'authenticate'; method: 'password' | 'key' }
);

type ConnectLimits = Record<'connectMs' | 'bannerMs' | 'handshakeMs' | 'authenticateMs' | 'keepaliveMs', number>;
export type ConnectOptions = {
  limits?: Partial<ConnectLimits>;
  signal?: AbortSignal;
  onStep?: (step: Step) => void;
};

/** Slow name servers and PAM modules of hosts make seconds of a login. */
const defaults: ConnectLimits = {
  connectMs: 10_000,
  bannerMs: 15_000,
  handshakeMs: 15_000,
  authenticateMs: 20_000,
  keepaliveMs: 15_000,
};
/** Over what an honest server can have sent within its windows, or made us answer. */
const maxUnread = 6 * 1_048_576;
const maxUnsent = 32 * 1_048_576;

/** Logs in, or says at which phase and why not. Nothing is sent to a server whose key is not the pinned one. */
export async function connect(target: SshTarget, options: ConnectOptions = {}): Promise<Connection> {
  const limits = { ...defaults, ...options.limits };
  const signal = options.signal ?? new AbortController().signal;
  const tell = stopwatch(options.onStep);
  const attempt = new Attempt(target, limits.keepaliveMs);
  const onResolved = (addresses: readonly string[]) => tell({ phase: 'resolve', addresses });
  const { socket, address } = await dial(target, { ms: limits.connectMs, signal, onResolved });
  try {
    tell({ phase: 'connect', address });
    attempt.start(socket);
    const pass = <T>(phase: Phase, ms: number, event: Promise<T>) =>
      within({ phase, ms, signal }, Promise.race([event, attempt.failed]));
    const software = await pass('banner', limits.bannerMs, attempt.identified);
    await pass('handshake', limits.handshakeMs, attempt.keyed);
    tell({ phase: 'handshake', hostKey: attempt.hostKey, software });
    await pass('authenticate', limits.authenticateMs, attempt.ready);
    tell({ phase: 'authenticate', method: attempt.method });
    return new Connection(attempt, socket, address);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

type StepFacts = Step extends infer S ? (S extends unknown ? Omit<S, 'ms'> : never) : never;

function stopwatch(onStep: ConnectOptions['onStep']): (facts: StepFacts) => void {
  let since = performance.now();
  return (facts) => {
    const now = performance.now();
    onStep?.({ ...facts, ms: now - since });
    since = now;
  };
}

type Opening = { ms: number; signal: AbortSignal };
/** A running command. It may exit before its output is over, and before anybody listens. */
type Opened = { channel: ClientChannel; exited: Promise<void> };

/** No code: it is not known what it did. */
export type CommandEnd = { code: number | null; failure?: unknown };

/** A login on one host. Whatever happens to it, `closed` says why, and its commands end. */
export class Connection {
  readonly hostKey: string;
  readonly openedAt = performance.now();
  /** Resolves once, when the connection is over, with the reason. */
  readonly closed: Promise<SshFailure>;
  private readonly channels = new Set<ClientChannel>();
  private readonly listeners = new Set<(failure: SshFailure) => void>();
  /** A command did not open in time: another login may fare better. */
  isStuck = false;
  /** Called when a command is closed. */
  onFreed: (() => void) | undefined;
  /** Hears of each command that has a name as it begins, and then of its end. */
  onCommand: ((name: string) => (end: CommandEnd) => void) | undefined;

  constructor(
    private readonly attempt: Attempt,
    private readonly socket: Socket,
    /** The address that was connected to. */
    readonly address: string,
  ) {
    this.hostKey = attempt.hostKey;
    this.closed = attempt.failed.catch((failure: SshFailure) => {
      for (const listener of this.listeners) listener(failure);
      return failure;
    });
    socket.on('data', () => this.guard());
  }

  get isOpen(): boolean {
    return !this.attempt.failure && this.socket.writable;
  }

  /** Why it is over; undefined while it is open. */
  get end(): SshFailure | undefined {
    return this.attempt.failure;
  }

  /** Commands that were opened and not closed, those included that nobody waits for any more. */
  get commands(): number {
    return this.channels.size;
  }

  /** Calls back when it is over; returns what ends that. A `then` of `closed` would be kept as long as the connection. */
  onClosed(listener: (failure: SshFailure) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A writer waits for what it sent to leave: ssh2 keeps all that the host's windows allow, which may be any amount. */
  async drained(): Promise<void> {
    while (this.isOpen && this.socket.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        const done = () => {
          this.socket.off('drain', done).off('close', done);
          resolve();
        };
        this.socket.on('drain', done).on('close', done);
      });
    }
  }

  /** Starts one command. What fails before it was sent was not started; after that nobody knows. */
  async open(command: string, { ms, signal }: Opening): Promise<Opened> {
    let wasRequested = false;
    const opened = new Promise<Opened>((resolve, reject) => {
      const options = notifyWhenRequested(() => (wasRequested = true));
      try {
        this.attempt.client.exec(command, options, (error, channel) =>
          error ? reject(this.refusal(error, wasRequested)) : resolve(this.keep(channel)),
        );
      } catch {
        reject(new SshFailure({ kind: 'closed', said: '' }));
      }
    });
    return within({ phase: 'open', ms, signal }, opened).catch((failure: SshFailure) => {
      // It may still open: nobody waits for it any more.
      opened.then(abandon, () => undefined);
      this.isStuck ||= failure.kind === 'timed-out';
      throw wasRequested ? new SshFailure(failure.reason, 'unknown') : failure;
    });
  }

  /** A login shell on a terminal of its own. */
  async openShell({ cols, rows, ms, signal }: Opening & { cols: number; rows: number }): Promise<Opened> {
    const opened = new Promise<Opened>((resolve, reject) => {
      try {
        this.attempt.client.shell({ term: 'xterm-256color', cols, rows }, (error, channel) =>
          error ? reject(this.shellRefusal(error)) : resolve(this.keep(channel)),
        );
      } catch {
        reject(new SshFailure({ kind: 'closed', said: '' }));
      }
    });
    return within({ phase: 'open', ms, signal }, opened).catch((failure: SshFailure) => {
      opened.then(abandon, () => undefined);
      throw failure;
    });
  }

  /** Says goodbye and closes, at the latest a second later. */
  async close(): Promise<void> {
    this.attempt.client.end();
    const timer = setTimeout(() => this.socket.destroy(), 1_000);
    this.socket.destroySoon();
    await this.closed;
    clearTimeout(timer);
  }

  private keep(channel: ClientChannel): Opened | Promise<never> {
    this.channels.add(channel);
    const ignore = () => undefined;
    channel.on('error', ignore).on('close', () => {
      this.channels.delete(channel);
      this.onFreed?.();
    });
    channel.stderr.on('error', ignore);
    if (!takesPackets(channel)) {
      const failure = new SshFailure({ kind: 'protocol', said: 'packet size' });
      this.attempt.end(failure);
      return Promise.reject(failure);
    }
    return { channel, exited: new Promise((resolve) => channel.once('exit', () => resolve())) };
  }

  private refusal(error: Error & { reason?: unknown }, wasRequested: boolean): SshFailure {
    if (this.attempt.failure) return new SshFailure(this.attempt.failure.reason, wasRequested ? 'unknown' : 'no');
    if (wasRequested) return new SshFailure({ kind: 'no-shell', said: '' }, 'unknown');
    if (error.reason === undefined) return new SshFailure({ kind: 'closed', said: '' });
    return new SshFailure({ kind: 'too-many', limit: 'MaxSessions', said: error.message.replace(/^.*failure: /, '') });
  }

  /** The channel was opened where ssh2 gives no reason: then it is the terminal or the shell that is refused. */
  private shellRefusal(error: Error & { reason?: unknown }): SshFailure {
    if (this.attempt.failure || error.reason !== undefined) return this.refusal(error, false);
    return new SshFailure({ kind: 'no-shell', said: '' });
  }

  /** ssh2 believes a host that ignores its windows, and answers one that does not listen. */
  private guard(): void {
    let unread = 0;
    for (const channel of this.channels) {
      unread = Math.max(unread, channel.readableLength, channel.stderr.readableLength);
    }
    if (unread > maxUnread || this.socket.writableLength > maxUnsent) {
      this.attempt.end(new SshFailure({ kind: 'protocol', said: 'window exceeded' }));
    }
  }
}

function abandon({ channel }: Opened): void {
  channel.resume();
  channel.stderr.resume();
  sendSignal(channel, 'KILL');
  channel.close();
}
