import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Connection } from './connection';
import { SshFailure } from './failure';
import { LoginLimits } from './login-limits';
import { PooledHost, isCapacityRefusal, type Lease, type PoolLimits, randomDelayMs } from './pooled-host';
import type { SshTarget } from './target';

const defaults: PoolLimits = {
  connections: 2,
  channels: 4,
  handshakes: 4,
  allHandshakes: 128,
  waitMs: 60_000,
  idleMs: 300_000,
  ageMs: 3_600_000,
  refusedMs: 600_000,
  rememberedMs: 3_600_000,
  connect: {},
};
const maxTries = 6;

type UseOptions = {
  signal?: AbortSignal;
  waitMs?: number;
  /** How long this key's connections stay open for the next use. */
  idleMs?: number;
};
type BorrowOptions = { signal: AbortSignal; idleMs: number };

/** Pools connections to hosts by a key that names the host and the version of its credential. */
export class SshPool {
  private readonly limits: PoolLimits;
  private readonly loginLimits: LoginLimits;
  private readonly hosts = new Map<string, PooledHost>();
  /** Forgotten hosts whose work is not over. */
  private readonly retired = new Set<PooledHost>();
  private isClosed = false;

  constructor(
    limits: Partial<PoolLimits> = {},
    private readonly logIn: typeof connect = connect,
  ) {
    this.limits = { ...defaults, ...limits };
    this.loginLimits = new LoginLimits(this.limits.handshakes, this.limits.allHandshakes);
  }

  /**
   * Lends a connection on which `work` may run one command at a time. Work that the host refused for lack of capacity
   * is repeated, since nothing started; any other failure goes to the caller.
   */
  async use<T>(key: string, target: SshTarget, work: (connection: Connection) => Promise<T>, options: UseOptions = {}) {
    const { signal: callerSignal, waitMs = this.limits.waitMs, idleMs = this.limits.idleMs } = options;
    const deadline = AbortSignal.timeout(waitMs);
    const signal = callerSignal ? AbortSignal.any([callerSignal, deadline]) : deadline;
    for (let tries = 1; ; tries += 1) {
      const lease = await this.borrow(key, target, { signal, idleMs }).catch((error: unknown) => {
        if (error instanceof SshFailure && error.kind !== 'cancelled') throw error;
        if (callerSignal?.aborted) throw new SshFailure({ kind: 'cancelled' });
        if (deadline.aborted) throw new SshFailure({ kind: 'timed-out', phase: 'open', seconds: waitMs / 1000 });
        throw error;
      });
      try {
        return await work(lease.connection);
      } catch (error) {
        if (!isCapacityRefusal(error) || signal.aborted || tries >= maxTries) throw error;
        // Only MaxSessions is about this connection; `work` may also have been refused elsewhere.
        if (error.reason.kind === 'too-many' && error.reason.limit === 'MaxSessions') lease.reduceChannels();
      } finally {
        lease.release();
      }
      await sleep(randomDelayMs(0));
    }
  }

  /** Retires a host whose credential or key has changed: no new work starts there, and running work goes on. */
  async forget(key: string): Promise<void> {
    const host = this.hosts.get(key);
    if (!host) return;
    this.hosts.delete(key);
    this.retired.add(host);
    await host.retire();
  }

  /** Forgets the refused logins of a host, so that its credential is offered again. */
  forgetRefusals(key: string): void {
    this.hosts.get(key)?.forgetRefusals();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.all.map((host) => host.close()));
  }

  get size(): number {
    return this.all.reduce((total, host) => total + host.size, 0);
  }

  get commands(): number {
    return this.all.reduce((total, host) => total + host.commands, 0);
  }

  get hostCount(): number {
    return this.all.length;
  }

  private get all(): PooledHost[] {
    return [...this.hosts.values(), ...this.retired];
  }

  private borrow(key: string, target: SshTarget, { signal, idleMs }: BorrowOptions): Promise<Lease> {
    if (this.isClosed) throw new SshFailure({ kind: 'cancelled' });
    return this.hostFor(key, idleMs).borrow(target, signal);
  }

  private hostFor(key: string, idleMs: number): PooledHost {
    const existing = this.hosts.get(key);
    if (existing) return existing;
    const host = new PooledHost({ ...this.limits, idleMs }, this.loginLimits, this.logIn);
    this.hosts.set(key, host);
    host.onEmpty = () => {
      if (this.hosts.get(key) === host) this.hosts.delete(key);
      this.retired.delete(host);
    };
    return host;
  }
}
