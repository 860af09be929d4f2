import { setTimeout as sleep } from 'node:timers/promises';
import type { connect, Connection, ConnectOptions, Step } from './connection';
import { SshFailure } from './failure';
import type { LoginLimits } from './login-limits';
import { PooledConnection } from './pooled-connection';
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

const maxDrops = 6;
const maxRefusals = 2;
/** Pause after a second connection failed while the first one serves. */
const pauseMs = 5_000;

export type Lease = { connection: Connection; reduceChannels(): void; release(): void };
/** A login in progress. Once it authenticates it is not aborted, since hosts count such an abort as a refused login. */
type Login = { stop: AbortController; isAuthenticating: boolean };
type Waiter = { resolve(lease: Lease): void; reject(error: unknown): void; target: SshTarget };

/** One host with its connections, the callers that wait for one, and the limits learnt from it. */
export class PooledHost {
  private readonly connections = new Set<PooledConnection>();
  private readonly waiting: Waiter[] = [];
  private readonly logins = new Set<Login>();
  /** Lowered when the host takes fewer commands on one connection (MaxSessions). */
  private channels: number;
  onEmpty: () => void = () => undefined;
  private refusals = 0;
  private pausedUntil = 0;
  private refusal: { failure: SshFailure; until: number } | undefined;
  private forgetTimer: NodeJS.Timeout | undefined;
  private isRetired = false;
  private isClosed = false;

  constructor(
    private readonly limits: PoolLimits,
    private readonly loginLimits: LoginLimits,
    private readonly logIn: typeof connect,
  ) {
    this.channels = limits.channels;
  }

  get size(): number {
    return this.connections.size;
  }

  get commands(): number {
    return [...this.connections].reduce((total, { connection }) => total + connection.commands, 0);
  }

  borrow(target: SshTarget, signal: AbortSignal): Promise<Lease> {
    // The pause after a failure is for a second connection only.
    if (this.connections.size === 0) this.pausedUntil = 0;
    if (this.refusal && this.refusal.until > performance.now()) return Promise.reject(this.refusal.failure);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new SshFailure({ kind: 'cancelled' }));
        if (this.waiting.length === 0) this.stopLogins(({ isAuthenticating }) => !isAuthenticating);
        this.reportIfEmpty();
      };
      const stopListening = () => signal.removeEventListener('abort', cancel);
      const waiting: Waiter = {
        target,
        resolve: (lease) => [stopListening(), resolve(lease)],
        reject: (error) => [stopListening(), reject(error)],
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
    this.forgetRefusals();
    this.serve();
    const idle = [...this.connections].filter(({ isIdle }) => isIdle);
    await Promise.all(idle.map(({ connection }) => connection.closed));
  }

  forgetRefusals(): void {
    clearTimeout(this.forgetTimer);
    this.refusals = 0;
    this.refusal = undefined;
    this.reportIfEmpty();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stopLogins(() => true);
    this.fail(new SshFailure({ kind: 'cancelled' }));
    await Promise.all([...this.connections].map((pooled) => pooled.close()));
  }

  /** Lends free connections, and connects when callers still wait. */
  private serve(): void {
    for (;;) {
      const pooled = this.findFree();
      const next = pooled && this.waiting.shift();
      if (!pooled || !next) break;
      next.resolve(this.lend(pooled));
    }
    const usable = [...this.connections].filter((pooled) => pooled.isFresh).length + this.logins.size;
    const neededLogins = Math.ceil(this.waiting.length / this.channels);
    const [first] = this.waiting;
    const mayConnect = usable < this.limits.connections && performance.now() >= this.pausedUntil && this.mayLogIn;
    if (first && mayConnect && this.logins.size < neededLogins) void this.open(first.target);
    if (this.isRetired && !first) for (const pooled of this.connections) pooled.retire();
  }

  /** Pending logins may all be refused, so they count as refusals against the limit. */
  private get mayLogIn(): boolean {
    return this.logins.size === 0 || this.logins.size + this.refusals < maxRefusals;
  }

  private findFree(): PooledConnection | undefined {
    const free = [...this.connections].filter((pooled) => pooled.isFresh && pooled.load < this.channels);
    return free.sort((one, other) => one.load - other.load)[0];
  }

  private lend(pooled: PooledConnection): Lease {
    pooled.acquire();
    let isReleased = false;
    return {
      connection: pooled.connection,
      reduceChannels: () => {
        this.channels = Math.max(1, Math.min(this.channels, pooled.connection.commands));
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        pooled.release();
        this.serve();
      },
    };
  }

  private async open(target: SshTarget): Promise<void> {
    const login: Login = { stop: new AbortController(), isAuthenticating: false };
    this.logins.add(login);
    const connection = await this.connect(target, login).catch((error: unknown) => error);
    this.logins.delete(login);
    if (isConnection(connection)) this.add(connection);
    else if (!login.stop.signal.aborted) this.recordFailure(connection);
    // A new caller may have come since the login was aborted.
    else this.serve();
    this.reportIfEmpty();
  }

  private add(connection: Connection): void {
    this.refusals = 0;
    this.refusal = undefined;
    this.pausedUntil = 0;
    const pooled = new PooledConnection(connection, this.limits);
    if (this.isClosed) {
      void pooled.close();
      return;
    }
    this.connections.add(pooled);
    connection.onClosed(() => this.remove(pooled));
    connection.onFreed = () => this.serve();
    this.serve();
    pooled.scheduleClose();
  }

  private recordFailure(failure: unknown): void {
    this.recordRefusal(failure);
    this.pausedUntil = performance.now() + pauseMs;
    if (![...this.connections].some((pooled) => pooled.isFresh)) this.fail(failure);
  }

  private stopLogins(matches: (login: Login) => boolean): void {
    for (const login of this.logins) if (matches(login)) login.stop.abort();
  }

  /** Retries where a host drops connections before its identification: it has too many, and nothing was sent. */
  private async connect(target: SshTarget, login: Login): Promise<Connection> {
    const { signal } = login.stop;
    const onStep = ({ phase }: Step) => {
      login.isAuthenticating = phase === 'handshake' || phase === 'authenticate';
    };
    for (let drops = 1; ; drops += 1) {
      const release = await this.loginLimits.acquire(target, signal);
      try {
        return await this.logIn(target, { limits: this.limits.connect ?? {}, signal, onStep });
      } catch (error) {
        login.isAuthenticating = false;
        if (!isCapacityRefusal(error) || drops >= maxDrops) throw error;
      } finally {
        release();
      }
      await sleep(randomDelayMs(drops), undefined, { signal });
    }
  }

  /** Counts refused credentials, because hosts ban addresses that keep offering them. */
  private recordRefusal(error: unknown): void {
    if (!(error instanceof SshFailure) || !['authentication', 'expired-password'].includes(error.kind)) return;
    this.refusals += 1;
    clearTimeout(this.forgetTimer);
    this.forgetTimer = setTimeout(() => this.forgetRefusals(), this.limits.rememberedMs).unref();
    if (this.refusals < maxRefusals && error.kind === 'authentication') return;
    this.refusal = { failure: error, until: performance.now() + this.limits.refusedMs };
  }

  private fail(error: unknown): void {
    // All callers share the failure: if each tried again, each would add a refused login.
    for (const waiting of this.waiting.splice(0)) waiting.reject(error);
  }

  private remove(pooled: PooledConnection): void {
    this.connections.delete(pooled);
    if (this.connections.size === 0) this.pausedUntil = 0;
    if (this.waiting.length > 0) this.serve();
    this.reportIfEmpty();
  }

  private reportIfEmpty(): void {
    const busy = this.connections.size + this.logins.size + this.waiting.length;
    if (busy === 0 && !this.refusal && this.refusals === 0) this.onEmpty();
  }
}

/** Includes `banned`, because OpenSSH since 9.8 sends the same text for too many logins and for a banned address. */
export const isCapacityRefusal = (error: unknown): error is SshFailure =>
  error instanceof SshFailure && ['too-many', 'banned'].includes(error.kind) && error.wasStarted === 'no';

const isConnection = (value: unknown): value is Connection => value instanceof Object && 'openedAt' in value;

/** Random delay between attempts, longer each time, so that callers do not retry together. */
export const randomDelayMs = (attempt: number) => Math.random() * 250 * 2 ** attempt;
