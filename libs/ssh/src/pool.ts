import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Connection, type ConnectOptions } from './connection';
import { SshFailure } from './failure';
import { Gate } from './gate';
import type { SshTarget } from './target';

export type PoolLimits = {
  connections: number;
  channels: number;
  handshakes: number;
  /** How long a use waits for its turn, connecting included. */
  waitMs: number;
  idleMs: number;
  ageMs: number;
  /** How long a credential that was refused twice is not offered again. */
  refusedMs: number;
  connect: ConnectOptions['limits'];
};

const usual: PoolLimits = {
  connections: 2,
  channels: 4,
  handshakes: 4,
  waitMs: 60_000,
  idleMs: 300_000,
  ageMs: 3_600_000,
  refusedMs: 600_000,
  connect: {},
};
const dropsTried = 6;
const refusalsTried = 2;
const roomTried = 6;
/** After a second connection failed, while the first one serves. */
const pauseMs = 5_000;

type UseOptions = { signal?: AbortSignal; waitMs?: number };

/** Connections to hosts, by a key that names the host and the version of its credential. */
export class SshPool {
  private readonly limits: PoolLimits;
  private readonly handshakes: Gate;
  private readonly hosts = new Map<string, Host>();
  private isClosed = false;

  constructor(
    limits: Partial<PoolLimits> = {},
    private readonly logIn: typeof connect = connect,
  ) {
    this.limits = { ...usual, ...limits };
    this.handshakes = new Gate(this.limits.handshakes);
  }

  /**
   * Lends a connection on which `work` may have one command at a time. Work that was refused for want of room is done
   * again, as nothing of it was started; whatever else fails is the caller's.
   */
  async use<T>(key: string, target: SshTarget, work: (connection: Connection) => Promise<T>, options: UseOptions = {}) {
    const { signal: own, waitMs = this.limits.waitMs } = options;
    const late = AbortSignal.timeout(waitMs);
    const signal = own ? AbortSignal.any([own, late]) : late;
    for (let tries = 1; ; tries += 1) {
      const lease = await this.borrow(key, target, signal).catch((error: unknown) => {
        if (error instanceof SshFailure && error.kind !== 'cancelled') throw error;
        if (own?.aborted) throw new SshFailure({ kind: 'cancelled' });
        if (late.aborted) throw new SshFailure({ kind: 'timed-out', phase: 'open', seconds: waitMs / 1000 });
        throw error;
      });
      try {
        return await work(lease.connection);
      } catch (error) {
        if (!isRefusedForRoom(error) || signal.aborted || tries >= roomTried) throw error;
        lease.refuse();
      } finally {
        lease.giveBack();
      }
      await sleep(spreadMs(0));
    }
  }

  /** Closes what is open to a host whose credential or key is no longer the same, and forgets its refusals. */
  async forget(key: string): Promise<void> {
    const host = this.hosts.get(key);
    this.hosts.delete(key);
    await host?.close();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.hosts.keys()].map((key) => this.forget(key)));
  }

  /** How many connections are open, for the gauges. */
  get size(): number {
    return [...this.hosts.values()].reduce((total, host) => total + host.size, 0);
  }

  /** How many commands are open on them. */
  get commands(): number {
    return [...this.hosts.values()].reduce((total, host) => total + host.commands, 0);
  }

  private borrow(key: string, target: SshTarget, signal: AbortSignal): Promise<Lease> {
    if (this.isClosed) throw new SshFailure({ kind: 'cancelled' });
    const host = this.hosts.get(key) ?? new Host(this.limits, this.handshakes, this.logIn);
    this.hosts.set(key, host);
    host.onEmpty = () => this.hosts.get(key) === host && this.hosts.delete(key);
    return host.borrow(target, signal);
  }
}

const isRefusedForRoom = (error: unknown) =>
  error instanceof SshFailure && error.reason.kind === 'too-many' && error.wasStarted === 'no';

type Lease = { connection: Connection; refuse(): void; giveBack(): void };
type Waiting = { resolve(lease: Lease): void; reject(error: unknown): void; target: SshTarget };

/** An open connection and how many commands it carries. */
class Line {
  inUse = 0;
  isRetired = false;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    readonly connection: Connection,
    private readonly limits: PoolLimits,
  ) {}

  get isFresh(): boolean {
    return (
      !this.isRetired && this.connection.isOpen && performance.now() - this.connection.openedAt < this.limits.ageMs
    );
  }

  /** A command that was given up may take a while to end. */
  get load(): number {
    return Math.max(this.inUse, this.connection.commands);
  }

  take(): void {
    this.inUse += 1;
    clearTimeout(this.idle);
  }

  giveBack(): void {
    this.inUse -= 1;
    if (this.inUse > 0) return;
    if (this.isFresh) this.idle = setTimeout(() => void this.connection.close(), this.limits.idleMs).unref();
    else void this.connection.close();
  }

  async close(): Promise<void> {
    this.isRetired = true;
    clearTimeout(this.idle);
    await this.connection.close();
  }
}

/** One host: its lines, who waits for one, and what it taught us. */
class Host {
  private readonly lines = new Set<Line>();
  private readonly waiting: Waiting[] = [];
  private connecting = 0;
  /** Lowered when the host takes fewer commands on one connection (MaxSessions). */
  private channels: number;
  onEmpty: () => void = () => undefined;
  private refusals = 0;
  private pausedUntil = 0;
  private refusal: { failure: SshFailure; until: number } | undefined;
  private readonly over = new AbortController();

  constructor(
    private readonly limits: PoolLimits,
    private readonly handshakes: Gate,
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
    // Only a second connection waits after a failure.
    if (this.lines.size === 0) this.pausedUntil = 0;
    if (this.refusal && this.refusal.until > performance.now()) return Promise.reject(this.refusal.failure);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new SshFailure({ kind: 'cancelled' }));
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

  async close(): Promise<void> {
    this.over.abort();
    this.fail(new SshFailure({ kind: 'cancelled' }));
    await Promise.all([...this.lines].map((line) => line.close()));
  }

  /** Lends what is free, and connects when somebody still waits. */
  private serve(): void {
    for (;;) {
      const line = this.freeLine();
      const next = line && this.waiting.shift();
      if (!line || !next) break;
      next.resolve(this.lend(line));
    }
    const usable = [...this.lines].filter((line) => line.isFresh).length + this.connecting;
    const wanted = Math.ceil(this.waiting.length / this.channels);
    const [first] = this.waiting;
    const mayConnect = usable < this.limits.connections && performance.now() >= this.pausedUntil;
    if (first && mayConnect && this.connecting < wanted) void this.open(first.target);
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
    this.connecting += 1;
    const connection = await this.connect(target).catch((error: unknown) => error);
    this.connecting -= 1;
    if (connection instanceof SshFailure || !isConnection(connection)) {
      this.note(connection);
      this.pausedUntil = performance.now() + pauseMs;
      if (![...this.lines].some((line) => line.isFresh)) this.fail(connection);
      return;
    }
    this.refusals = 0;
    this.refusal = undefined;
    this.pausedUntil = 0;
    const line = new Line(connection, this.limits);
    if (this.over.signal.aborted) {
      void line.close();
      return;
    }
    this.lines.add(line);
    connection.onClosed(() => this.remove(line));
    connection.onFreed = () => this.serve();
    this.serve();
  }

  /** A host that drops connections before it says who it is has too many of them: nothing was sent, so try again. */
  private async connect(target: SshTarget): Promise<Connection> {
    for (let drops = 1; ; drops += 1) {
      const leave = await this.handshakes.enter(this.over.signal);
      try {
        return await this.logIn(target, { limits: this.limits.connect ?? {}, signal: this.over.signal });
      } catch (error) {
        if (!isRefusedForRoom(error) || drops >= dropsTried) throw error;
      } finally {
        leave();
      }
      await sleep(spreadMs(drops), undefined, { signal: this.over.signal });
    }
  }

  /** Hosts ban whoever keeps offering a credential that they refuse. */
  private note(error: unknown): void {
    if (!(error instanceof SshFailure) || !['authentication', 'expired-password', 'banned'].includes(error.kind))
      return;
    this.refusals += 1;
    if (this.refusals < refusalsTried && error.kind === 'authentication') return;
    this.refusal = { failure: error, until: performance.now() + this.limits.refusedMs };
  }

  private fail(error: unknown): void {
    // Who shares the host shares its answer: each of them asking again would be as many refused logins.
    for (const waiting of this.waiting.splice(0)) waiting.reject(error);
  }

  private remove(line: Line): void {
    this.lines.delete(line);
    if (this.lines.size === 0) this.pausedUntil = 0;
    if (this.waiting.length > 0) this.serve();
    else if (this.lines.size + this.connecting === 0 && !this.refusal && this.refusals === 0) this.onEmpty();
  }
}

const isConnection = (value: unknown): value is Connection => value instanceof Object && 'openedAt' in value;

/** Between attempts: longer each time, and not at the same time as the others. */
const spreadMs = (attempt: number) => Math.random() * 250 * 2 ** attempt;
