import type { Socket } from 'node:net';
import type { ClientChannel } from 'ssh2';
import { LoginAttempt } from './login-attempt';
import { dial, withDeadline } from './dial';
import { type Phase, SshFailure } from './failure';
import { folderInput, shellInFolder } from './folder-shell';
import { sendSignal, acceptsPackets, notifyWhenRequested } from './internals';
import type { SshTarget } from './target';

/** A completed phase of connecting, for the step-by-step test. The failed phase is in the failure. */
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

/** Slow name servers and PAM modules of hosts make a login last seconds. */
const defaults: ConnectLimits = {
  connectMs: 10_000,
  bannerMs: 15_000,
  handshakeMs: 15_000,
  authenticateMs: 20_000,
  keepaliveMs: 15_000,
};
/** More than an honest server can have sent within its windows, or made us answer. */
const maxUnreadBytes = 6 * 1_048_576;
const maxUnsentBytes = 32 * 1_048_576;

/** Logs in, or throws the failed phase and its reason. A server whose key is not the pinned one gets no credential. */
export async function connect(target: SshTarget, options: ConnectOptions = {}): Promise<Connection> {
  const limits = { ...defaults, ...options.limits };
  const signal = options.signal ?? new AbortController().signal;
  const reportStep = stopwatch(options.onStep);
  const attempt = new LoginAttempt(target, limits.keepaliveMs);
  const onResolved = (addresses: readonly string[]) => reportStep({ phase: 'resolve', addresses });
  const { socket, address } = await dial(target, { ms: limits.connectMs, signal, onResolved });
  try {
    reportStep({ phase: 'connect', address });
    attempt.start(socket);
    const awaitPhase = <T>(phase: Phase, ms: number, event: Promise<T>) =>
      withDeadline({ phase, ms, signal }, Promise.race([event, attempt.failed]));
    const software = await awaitPhase('banner', limits.bannerMs, attempt.softwareName);
    await awaitPhase('handshake', limits.handshakeMs, attempt.handshakeDone);
    reportStep({ phase: 'handshake', hostKey: attempt.hostKey, software });
    await awaitPhase('authenticate', limits.authenticateMs, attempt.ready);
    reportStep({ phase: 'authenticate', method: attempt.method });
    return new Connection(attempt, socket, address);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

type StepDetails = Step extends infer S ? (S extends unknown ? Omit<S, 'ms'> : never) : never;

function stopwatch(onStep: ConnectOptions['onStep']): (details: StepDetails) => void {
  let since = performance.now();
  return (details) => {
    const now = performance.now();
    onStep?.({ ...details, ms: now - since });
    since = now;
  };
}

type OpenOptions = { ms: number; signal: AbortSignal };
type ShellOptions = OpenOptions & {
  cols: number;
  rows: number;
  folder?: string | undefined;
  folderName?: string | undefined;
};
/** A running command. It may exit before its output ends, and before anybody listens. */
type RunningCommand = { channel: ClientChannel; exited: Promise<void> };

/** Without a code, the effect of the command is unknown. */
export type CommandEnd = { code: number | null; failure?: unknown };

/** A login on one host. When it ends for any reason, `closed` resolves with it and all commands end. */
export class Connection {
  readonly hostKey: string;
  readonly openedAt = performance.now();
  readonly closed: Promise<SshFailure>;
  private readonly channels = new Set<ClientChannel>();
  private readonly listeners = new Set<(failure: SshFailure) => void>();
  /** A command did not open in time; another login may fare better. */
  isStuck = false;
  /** Called when a command is closed. */
  onFreed: (() => void) | undefined;
  /** Called when a named command begins; the returned function is called at its end. */
  onCommand: ((name: string) => (end: CommandEnd) => void) | undefined;

  constructor(
    private readonly attempt: LoginAttempt,
    private readonly socket: Socket,
    /** The address that was connected to. */
    readonly address: string,
  ) {
    this.hostKey = attempt.hostKey;
    this.closed = attempt.failed.catch((failure: SshFailure) => {
      for (const listener of this.listeners) listener(failure);
      return failure;
    });
    socket.on('data', () => this.checkBuffers());
  }

  get isOpen(): boolean {
    return !this.attempt.failure && this.socket.writable;
  }

  /** Why the connection ended; undefined while it is open. */
  get failure(): SshFailure | undefined {
    return this.attempt.failure;
  }

  /** Number of open commands, abandoned ones included. */
  get commands(): number {
    return this.channels.size;
  }

  /** Adds a listener and returns its removal, which a `then` on `closed` could not offer. */
  onClosed(listener: (failure: SshFailure) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when the socket has drained; ssh2 itself buffers as much as the host's windows allow. */
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

  /** Starts one command. A failure before the request is sent is `no` start; after that it is `unknown`. */
  async open(command: string, { ms, signal }: OpenOptions): Promise<RunningCommand> {
    let wasRequested = false;
    const opened = new Promise<RunningCommand>((resolve, reject) => {
      const options = notifyWhenRequested(() => (wasRequested = true));
      try {
        this.attempt.client.exec(command, options, (error, channel) =>
          error ? reject(this.refusal(error, wasRequested)) : resolve(this.track(channel)),
        );
      } catch {
        reject(new SshFailure({ kind: 'closed', detail: '' }));
      }
    });
    return withDeadline({ phase: 'open', ms, signal }, opened).catch((failure: SshFailure) => {
      // The command may still open after the caller has left.
      opened.then(abandon, () => undefined);
      this.isStuck ||= failure.kind === 'timed-out';
      throw wasRequested ? new SshFailure(failure.reason, 'unknown') : failure;
    });
  }

  /** Opens the shell of the user, in a folder if one is named. */
  async openShell({ folder, folderName, ms, signal, ...size }: ShellOptions): Promise<RunningCommand> {
    const { client } = this.attempt;
    const window = { term: 'xterm-256color', ...size };
    const opened = new Promise<RunningCommand>((resolve, reject) => {
      const onOpened = (error: Error | undefined, channel: ClientChannel) => {
        if (error) return reject(this.shellRefusal(error));
        if (folder !== undefined) channel.write(folderInput(folder, folderName));
        return resolve(this.track(channel));
      };
      try {
        if (folder === undefined) client.shell(window, onOpened);
        else client.exec(shellInFolder, { pty: { ...window, modes: { ECHO: 0 } } }, onOpened);
      } catch {
        reject(new SshFailure({ kind: 'closed', detail: '' }));
      }
    });
    return withDeadline({ phase: 'open', ms, signal }, opened).catch((failure: SshFailure) => {
      opened.then(abandon, () => undefined);
      throw failure;
    });
  }

  /** Disconnects politely, and closes the socket a second later at most. */
  async close(): Promise<void> {
    this.attempt.client.end();
    const timer = setTimeout(() => this.socket.destroy(), 1_000);
    this.socket.destroySoon();
    await this.closed;
    clearTimeout(timer);
  }

  private track(channel: ClientChannel): RunningCommand | Promise<never> {
    this.channels.add(channel);
    const ignore = () => undefined;
    channel.on('error', ignore).on('close', () => {
      this.channels.delete(channel);
      this.onFreed?.();
    });
    channel.stderr.on('error', ignore);
    if (!acceptsPackets(channel)) {
      const failure = new SshFailure({ kind: 'protocol', detail: 'packet size' });
      this.attempt.end(failure);
      return Promise.reject(failure);
    }
    return { channel, exited: new Promise((resolve) => channel.once('exit', () => resolve())) };
  }

  private refusal(error: Error & { reason?: unknown }, wasRequested: boolean): SshFailure {
    if (this.attempt.failure) return new SshFailure(this.attempt.failure.reason, wasRequested ? 'unknown' : 'no');
    if (wasRequested) return new SshFailure({ kind: 'no-shell', detail: '' }, 'unknown');
    if (error.reason === undefined) return new SshFailure({ kind: 'closed', detail: '' });
    return new SshFailure({
      kind: 'too-many',
      limit: 'MaxSessions',
      detail: error.message.replace(/^.*failure: /, ''),
    });
  }

  /** ssh2 gives no reason when the channel was opened and the host refused the terminal or the shell. */
  private shellRefusal(error: Error & { reason?: unknown }): SshFailure {
    if (this.attempt.failure || error.reason !== undefined) return this.refusal(error, false);
    return new SshFailure({ kind: 'no-shell', detail: '' });
  }

  /** Ends the connection of a host that ignores its windows or does not read; ssh2 would buffer without limit. */
  private checkBuffers(): void {
    let unread = 0;
    for (const channel of this.channels) {
      unread = Math.max(unread, channel.readableLength, channel.stderr.readableLength);
    }
    if (unread > maxUnreadBytes || this.socket.writableLength > maxUnsentBytes) {
      this.attempt.end(new SshFailure({ kind: 'protocol', detail: 'window exceeded' }));
    }
  }
}

function abandon({ channel }: RunningCommand): void {
  channel.resume();
  channel.stderr.resume();
  sendSignal(channel, 'KILL');
  channel.close();
}
