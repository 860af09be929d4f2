import type { SshAccess } from '@vigie/contracts/credentials';
import type { SiteToRead } from '@vigie/contracts/site-checks';

/** Sites that share one way, and since when they wait to be read. */
export type SiteGroup = { access: SshAccess; sites: readonly SiteToRead[]; since: number };
type Read = (group: SiteGroup) => Promise<void>;

export type ReadLimits = {
  atOnce: number;
  /** Of one host and port, under whatever accounts. */
  ofHost: number;
  /** Of those that took too long the last time. */
  late: number;
  /** From when on one takes too long, so that another may begin in its place. */
  lateMs: (sites: number) => number;
};

const maxRemembered = 10_000;

/** Reads many groups at once, each by itself: those that are slow have places of their own and keep nobody waiting. */
export class ReadQueue {
  private readonly waiting = new Set<SiteGroup>();
  /** Of sites, so that none waits twice. */
  private readonly waitingIds = new Set<string>();
  private readonly atHost = new Map<string, number>();
  private readonly late = new Set<string>();
  private timelyNow = 0;
  private lateNow = 0;
  private readonly held: (() => void)[] = [];

  constructor(
    private readonly limits: ReadLimits,
    private readonly read: Read,
  ) {}

  /** Resolves when they have begun, or there is room for others. */
  async add(groups: readonly Omit<SiteGroup, 'since'>[]): Promise<void> {
    for (const { access, sites } of groups) {
      const fresh = sites.filter(({ id }) => !this.waitingIds.has(id));
      if (fresh.length === 0) continue;
      for (const { id } of fresh) this.waitingIds.add(id);
      this.waiting.add({ access, sites: fresh, since: performance.now() });
    }
    this.begin();
    if (this.isHeld) await new Promise<void>((resolve) => this.held.push(resolve));
  }

  /** Whatever waits is left. */
  close(): void {
    this.waiting.clear();
    this.waitingIds.clear();
    this.begin();
  }

  private get isFull(): boolean {
    return this.timelyNow >= this.limits.atOnce;
  }

  private get isHeld(): boolean {
    return this.isFull && this.waiting.size > 0;
  }

  private begin(): void {
    for (const group of this.waiting) if (this.mayBegin(group)) void this.run(group);
    if (!this.isHeld) for (const resolve of this.held.splice(0)) resolve();
  }

  private mayBegin({ access }: SiteGroup): boolean {
    const { ofHost, late } = this.limits;
    const hasRoom = this.late.has(access.row.id) ? this.lateNow < late : !this.isFull;
    return hasRoom && (this.atHost.get(hostOf(access)) ?? 0) < ofHost;
  }

  private async run(group: SiteGroup): Promise<void> {
    const { access, sites } = group;
    this.waiting.delete(group);
    for (const { id } of sites) this.waitingIds.delete(id);
    this.count(access, 1);
    let isInLatePlace = this.late.has(access.row.id);
    let isLate = false;
    if (isInLatePlace) this.lateNow += 1;
    else this.timelyNow += 1;
    const timer = setTimeout(() => {
      isLate = true;
      this.remember(access.row.id);
      if (isInLatePlace || this.lateNow >= this.limits.atOnce) return;
      isInLatePlace = true;
      this.timelyNow -= 1;
      this.lateNow += 1;
      this.begin();
    }, this.limits.lateMs(sites.length)).unref();
    await this.read(group);
    clearTimeout(timer);
    if (!isLate) this.late.delete(access.row.id);
    if (isInLatePlace) this.lateNow -= 1;
    else this.timelyNow -= 1;
    this.count(access, -1);
    this.begin();
  }

  private count(access: SshAccess, change: 1 | -1): void {
    const host = hostOf(access);
    const now = (this.atHost.get(host) ?? 0) + change;
    if (now > 0) this.atHost.set(host, now);
    else this.atHost.delete(host);
  }

  private remember(id: string): void {
    this.late.add(id);
    const [oldest] = this.late;
    if (oldest !== undefined && this.late.size > maxRemembered) this.late.delete(oldest);
  }
}

const hostOf = ({ host, port }: SshAccess) => `${host.toLowerCase()}:${port}`;
