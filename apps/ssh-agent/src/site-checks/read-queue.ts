import type { SshAccess } from '@vigie/contracts/credentials';
import type { SiteTarget } from '@vigie/contracts/site-checks';

/** Sites that share one connection, and the time since which they wait to be read. */
export type SiteGroup = { access: SshAccess; sites: readonly SiteTarget[]; since: number };
type Read = (group: SiteGroup) => Promise<void>;

export type ReadLimits = {
  maxGroups: number;
  /** Groups of one host and port at once, in all accounts. */
  maxPerHost: number;
  /** Groups at once of those that took too long the last time. */
  maxLate: number;
  /** After which a group takes too long, so that another one may start in its place. */
  lateMs: (sites: number) => number;
};

const maxRemembered = 10_000;

/** Reads many groups at once. Slow ones move to slots of their own, so that they do not block the others. */
export class ReadQueue {
  private readonly waiting = new Set<SiteGroup>();
  /** The ids of waiting sites, so that none waits twice. */
  private readonly waitingIds = new Set<string>();
  private readonly countByHost = new Map<string, number>();
  private readonly late = new Set<string>();
  private onTimeCount = 0;
  private lateCount = 0;
  private readonly waitingCallers: (() => void)[] = [];

  constructor(
    private readonly limits: ReadLimits,
    private readonly read: Read,
  ) {}

  /** Resolves when these groups have started, or when there is room for more. */
  async add(groups: readonly Omit<SiteGroup, 'since'>[]): Promise<void> {
    for (const { access, sites } of groups) {
      const newSites = sites.filter(({ id }) => !this.waitingIds.has(id));
      if (newSites.length === 0) continue;
      for (const { id } of newSites) this.waitingIds.add(id);
      this.waiting.add({ access, sites: newSites, since: performance.now() });
    }
    this.startGroups();
    if (this.mustWait) await new Promise<void>((resolve) => this.waitingCallers.push(resolve));
  }

  /** Drops the waiting groups. */
  close(): void {
    this.waiting.clear();
    this.waitingIds.clear();
    this.startGroups();
  }

  private get isFull(): boolean {
    return this.onTimeCount >= this.limits.maxGroups;
  }

  private get mustWait(): boolean {
    return this.isFull && this.waiting.size > 0;
  }

  private startGroups(): void {
    for (const group of this.waiting) if (this.mayStart(group)) void this.run(group);
    if (!this.mustWait) for (const resolve of this.waitingCallers.splice(0)) resolve();
  }

  private mayStart({ access }: SiteGroup): boolean {
    const { maxPerHost, maxLate } = this.limits;
    const hasRoom = this.late.has(access.row.id) ? this.lateCount < maxLate : !this.isFull;
    return hasRoom && (this.countByHost.get(hostOf(access)) ?? 0) < maxPerHost;
  }

  private async run(group: SiteGroup): Promise<void> {
    const { access, sites } = group;
    this.waiting.delete(group);
    for (const { id } of sites) this.waitingIds.delete(id);
    this.count(access, 1);
    let usesLateSlot = this.late.has(access.row.id);
    let isLate = false;
    if (usesLateSlot) this.lateCount += 1;
    else this.onTimeCount += 1;
    const timer = setTimeout(() => {
      isLate = true;
      this.markLate(access.row.id);
      if (usesLateSlot || this.lateCount >= this.limits.maxGroups) return;
      usesLateSlot = true;
      this.onTimeCount -= 1;
      this.lateCount += 1;
      this.startGroups();
    }, this.limits.lateMs(sites.length)).unref();
    await this.read(group);
    clearTimeout(timer);
    if (!isLate) this.late.delete(access.row.id);
    if (usesLateSlot) this.lateCount -= 1;
    else this.onTimeCount -= 1;
    this.count(access, -1);
    this.startGroups();
  }

  private count(access: SshAccess, change: 1 | -1): void {
    const host = hostOf(access);
    const count = (this.countByHost.get(host) ?? 0) + change;
    if (count > 0) this.countByHost.set(host, count);
    else this.countByHost.delete(host);
  }

  private markLate(id: string): void {
    this.late.add(id);
    const [oldest] = this.late;
    if (oldest !== undefined && this.late.size > maxRemembered) this.late.delete(oldest);
  }
}

const hostOf = ({ host, port }: SshAccess) => `${host.toLowerCase()}:${port}`;
