import { setTimeout as sleep } from 'node:timers/promises';
import type { connect, Connection, ConnectOptions, Step } from './connection';
import { SshFailure } from './failure';
import type { LoginLimits } from './login-limits';
import { Line } from './line';
import type { SshTarget } from './target';

export type PoolLimits = {
  connections: number;
  channels: number;
  /** Simultaneous logins at one host and port, over all accounts. */
  handshakes: number;
  /** Simultaneous logins at all hosts. A mute host occupies one until its timeout. */
  allHandshakes: number;
  /** How long a caller waits for a connection, connecting included. */
  waitMs: number;
  idleMs: number;
  ageMs: number;
  /** How long Vigie withholds a credential that was refused twice. */
  refusedMs: number;
  /** How long Vigie remembers a refusal; until then the credential is offered once and not twice. */
  rememberedMs: number;
  connect: ConnectOptions['limits'];
};

const dropsTried = 6;
const refusalsTried = 2;
/** Pause after a second connection failed while the first one serves. */
const pauseMs = 5_000;

export type Lease = { connection: Connection; refuse(): void; giveBack(): void };
/** A login in progress. Once it authenticates it is not aborted, since hosts count such an abort as a refused login. */
type Login = { stop: AbortController; isProving: boolean };
type Waiting = { resolve(lease: Lease): void; reject(error: unknown): void; target: SshTarget };

/** One host with its connections, the callers that wait for one, and the limits learnt from it. */
export class Host {
  private readonly lines = new Set<Line>();
  private readonly waiting: Waiting[] = [];
  private readonly logins = new Set<Login>();
  /** Lowered when the host takes fewer commands on one connection (MaxSessions). */
  private channels: number;
  onEmpty: () => void = () => undefined;
  private refusals = 0;
  private pausedUntil = 0;
  private refusal: { failure: SshFailure; until: number } | undefined;
  private pardoning: NodeJS.Timeout | undefined;
  private isRetired = false;
  private isClosed = false;

  constructor(
    private readonly limits: PoolLimits,
    private readonly doors: LoginLimits,
    private readonly logIn: typeof connect,
  ) {
    this.channels = limits.channels;
  }

  get size(): number {
    return this.lines.size;
  }

  get commands(): number {
    return [...this.lines].reduce((total, { connection }) => total + connection.commands, 0);
  }

  borrow(target: SshTarget, signal: AbortSignal): Promise<Lease> {
    // The pause after a failure is for a second connection only.
    if (this.lines.size === 0) this.pausedUntil = 0;
    if (this.refusal && this.refusal.until > performance.now()) return Promise.reject(this.refusal.failure);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new SshFailure({ kind: 'cancelled' }));
        if (this.waiting.length === 0) this.stopLogins(({ isProving }) => !isProving);
        this.leaveIfEmpty();
      };
      const settled = () => signal.removeEventListener('abort', cancel);
      const waiting: Waiting = {
        target,
        resolve: (lease) => [settled(), resolve(lease)],
        reject: (error) => [settled(), reject(error)],
      };
      this.waiting.push(waiting);
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      this.serve();
    });
  }

  /** Serves running and waiting work, then closes all connections. */
  async retire(): Promise<void> {
    this.isRetired = true;
    this.pardon();
    this.serve();
    const idle = [...this.lines].filter(({ isIdle }) => isIdle);
    await Promise.all(idle.map(({ connection }) => connection.closed));
  }

  pardon(): void {
    clearTimeout(this.pardoning);
    this.refusals = 0;
    this.refusal = undefined;
    this.leaveIfEmpty();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopLogins(() => true);
    this.fail(new SshFailure({ kind: 'cancelled' }));
    await Promise.all([...this.lines].map((line) => line.close()));
  }

  /** Lends free connections, and connects when callers still wait. */
  private serve(): void {
    for (;;) {
      const line = this.freeLine();
      const next = line && this.waiting.shift();
      if (!line || !next) break;
      next.resolve(this.lend(line));
    }
    const usable = [...this.lines].filter((line) => line.isFresh).length + this.logins.size;
    const wanted = Math.ceil(this.waiting.length / this.channels);
    const [first] = this.waiting;
    const mayConnect = usable < this.limits.connections && performance.now() >= this.pausedUntil && this.mayOffer;
    if (first && mayConnect && this.logins.size < wanted) void this.open(first.target);
    if (this.isRetired && !first) for (const line of this.lines) line.retire();
  }

  /** Pending logins may all be refused, so they count as refusals against the limit. */
  private get mayOffer(): boolean {
    return this.logins.size === 0 || this.logins.size + this.refusals < refusalsTried;
  }

  private freeLine(): Line | undefined {
    const free = [...this.lines].filter((line) => line.isFresh && line.load < this.channels);
    return free.sort((one, other) => one.load - other.load)[0];
  }

  private lend(line: Line): Lease {
    line.take();
    let isBack = false;
    return {
      connection: line.connection,
      refuse: () => {
        this.channels = Math.max(1, Math.min(this.channels, line.connection.commands));
      },
      giveBack: () => {
        if (isBack) return;
        isBack = true;
        line.giveBack();
        this.serve();
      },
    };
  }

  private async open(target: SshTarget): Promise<void> {
    const login: Login = { stop: new AbortController(), isProving: false };
    this.logins.add(login);
    const connection = await this.connect(target, login).catch((error: unknown) => error);
    this.logins.delete(login);
    if (isConnection(connection)) this.add(connection);
    else if (!login.stop.signal.aborted) this.rue(connection);
    // A new caller may have come since the login was aborted.
    else this.serve();
    this.leaveIfEmpty();
  }

  private add(connection: Connection): void {
    this.refusals = 0;
    this.refusal = undefined;
    this.pausedUntil = 0;
    const line = new Line(connection, this.limits);
    if (this.isClosed) {
      void line.close();
      return;
    }
    this.lines.add(line);
    connection.onClosed(() => this.remove(line));
    connection.onFreed = () => this.serve();
    this.serve();
    line.rest();
  }

  private rue(failure: unknown): void {
    this.note(failure);
    this.pausedUntil = performance.now() + pauseMs;
    if (![...this.lines].some((line) => line.isFresh)) this.fail(failure);
  }

  private stopLogins(which: (login: Login) => boolean): void {
    for (const login of this.logins) if (which(login)) login.stop.abort();
  }

  /** Retries where a host drops connections before its identification: it has too many, and nothing was sent. */
  private async connect(target: SshTarget, login: Login): Promise<Connection> {
    const { signal } = login.stop;
    const onStep = ({ phase }: Step) => {
      login.isProving = phase === 'handshake' || phase === 'authenticate';
    };
    for (let drops = 1; ; drops += 1) {
      const leave = await this.doors.enter(target, signal);
      try {
        return await this.logIn(target, { limits: this.limits.connect ?? {}, signal, onStep });
      } catch (error) {
        login.isProving = false;
        if (!isRefusedForRoom(error) || drops >= dropsTried) throw error;
      } finally {
        leave();
      }
      await sleep(spreadMs(drops), undefined, { signal });
    }
  }

  /** Counts refused credentials, because hosts ban addresses that keep offering them. */
  private note(error: unknown): void {
    if (!(error instanceof SshFailure) || !['authentication', 'expired-password'].includes(error.kind)) return;
    this.refusals += 1;
    clearTimeout(this.pardoning);
    this.pardoning = setTimeout(() => this.pardon(), this.limits.rememberedMs).unref();
    if (this.refusals < refusalsTried && error.kind === 'authentication') return;
    this.refusal = { failure: error, until: performance.now() + this.limits.refusedMs };
  }

  private fail(error: unknown): void {
    // All callers share the failure: if each tried again, each would add a refused login.
    for (const waiting of this.waiting.splice(0)) waiting.reject(error);
  }

  private remove(line: Line): void {
    this.lines.delete(line);
    if (this.lines.size === 0) this.pausedUntil = 0;
    if (this.waiting.length > 0) this.serve();
    this.leaveIfEmpty();
  }

  private leaveIfEmpty(): void {
    const busy = this.lines.size + this.logins.size + this.waiting.length;
    if (busy === 0 && !this.refusal && this.refusals === 0) this.onEmpty();
  }
}

/** Includes `banned`, because OpenSSH since 9.8 sends the same text for too many logins and for a banned address. */
export const isRefusedForRoom = (error: unknown): error is SshFailure =>
  error instanceof SshFailure && ['too-many', 'banned'].includes(error.kind) && error.wasStarted === 'no';

const isConnection = (value: unknown): value is Connection => value instanceof Object && 'openedAt' in value;

/** Random delay between attempts, longer each time, so that callers do not retry together. */
export const spreadMs = (attempt: number) => Math.random() * 250 * 2 ** attempt;
