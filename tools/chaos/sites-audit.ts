import type { Finding } from './audit';

/** WordPress itself: no archive brings it back. */
export const core = 'core/wordpress';

/** How the trial calls what can be changed: plugins by their slug alone. */
export const nameOf = (kind: string, slug: string) => (kind === 'plugin' ? slug : `${kind}/${slug}`);

/** What of a site can be changed: what is in its files, and what of it is active. */
export type SiteState = { versions: ReadonlyMap<string, string>; active: ReadonlySet<string> };

/** What the ledger says of one job on a site that is over. */
export type SiteTold = {
  id: string;
  kind: string;
  state: string;
  /** Of what it changes. */
  item: string | null;
  input: Record<string, unknown>;
  result: Record<string, unknown>;
  /** Of the error. */
  code: string | null;
};

/** Where putting back did not come to its end either, and the ledger says so. */
const halfDone: readonly string[] = ['not_rolled_back', 'interrupted'];
const replacing: readonly string[] = ['changes.update', 'changes.install', 'changes.restore'];
const filenameOf = (value: unknown) => String(Object(value).filename);

/** What a site must be after all that was said of it: told in the order in which it ended, since it is done one by one. */
export class Expected {
  private readonly versions: Map<string, string>;
  private active: Set<string>;
  /** Of these the ledger says itself that it does not know. */
  private unsure = new Set<string>();
  private isAllUnsure = false;
  /** By archive. */
  private readonly kept = new Map<string, SiteState & { unsure: ReadonlySet<string> }>();
  /** What was active when WordPress itself was changed last: its tables are kept with its files, and come back with them. */
  private activeBefore: ReadonlySet<string> | undefined;
  private readonly touched = new Map<string, SiteTold>();
  readonly findings: Finding[] = [];

  constructor(first: SiteState) {
    this.versions = new Map(first.versions);
    this.active = new Set(first.active);
  }

  tell(told: SiteTold): void {
    const { kind, state, code } = told;
    if (kind.startsWith('changes.')) {
      if (state === 'succeeded') this.change(told);
      else if (state === 'unknown' || halfDone.includes(code ?? '')) this.unsure.add(told.item ?? '');
      if (state !== 'cancelled' || told.code) this.touched.set(told.item ?? '', told);
    } else if (kind.startsWith('backups.')) this.archive(told);
  }

  /** What is there and should not be, or the other way round. */
  compare(there: SiteState): Finding[] {
    if (this.isAllUnsure) return this.findings;
    const slugs = new Set([...this.versions.keys(), ...there.versions.keys()]);
    const wrong = [...slugs].filter(
      (slug) =>
        !this.unsure.has(slug) &&
        (this.versions.get(slug) !== there.versions.get(slug) || this.active.has(slug) !== there.active.has(slug)),
    );
    const show = (slug: string, { versions, active }: SiteState) =>
      `${versions.get(slug) ?? 'absente'}${active.has(slug) ? ' active' : ''}`;
    const said = { versions: this.versions, active: this.active };
    const found = wrong.map((slug) => this.blame(slug, `${show(slug, said)} attendu, ${show(slug, there)} trouvé`));
    return [...this.findings, ...found];
  }

  private change({ id, kind, item, result }: SiteTold): void {
    const name = item ?? '';
    const [from, to, status] = [result['from'], result['to'], result['status']];
    const isKnown = !this.isAllUnsure && !this.unsure.has(name);
    const was = this.versions.get(name) ?? null;
    // What was there when it began is what was said of the one before it.
    if (isKnown && replacing.includes(kind) && from !== was) {
      this.findings.push(this.blame(name, `${id} a trouvé ${String(from)} au lieu de ${String(was)}`));
    }
    this.unsure.delete(name);
    if (typeof to === 'string') this.versions.set(name, to);
    else if (kind === 'changes.restore') this.versions.delete(name);
    if (status === 'active' || kind === 'changes.activate') this.active.add(name);
    else if (status === 'inactive' || kind === 'changes.deactivate' || typeof to !== 'string') this.active.delete(name);
    if (name === core) this.changeTables(kind);
  }

  /** A return of WordPress itself takes away what was switched since. */
  private changeTables(kind: string): void {
    const now = new Set(this.active);
    if (kind === 'changes.restore') {
      const others = [...this.versions.keys()].filter((name) => name !== core);
      if (!this.activeBefore) this.unsure = new Set([...this.unsure, ...others]);
      this.active = new Set(this.activeBefore ?? now);
    }
    this.activeBefore = now;
  }

  private archive({ kind, state, input, result }: SiteTold): void {
    const made = filenameOf(result);
    if (state === 'unknown' && kind === 'backups.restore') this.isAllUnsure = true;
    if (state !== 'succeeded') return;
    if (kind === 'backups.create') this.keep(made);
    if (kind === 'backups.download') this.copy(filenameOf(input), String(result['local']));
    if (kind === 'backups.import') this.copy(filenameOf(input), made);
    if (kind !== 'backups.restore') return;
    this.keep(filenameOf(result['safety']));
    this.putBack(filenameOf(input));
  }

  private keep(filename: string): void {
    if (this.isAllUnsure) return;
    const versions = new Map([...this.versions].filter(([name]) => name !== core));
    const unsure = new Set([...this.unsure].filter((name) => name !== core));
    this.kept.set(filename, { versions, active: new Set(this.active), unsure });
  }

  private copy(from: string, to: string): void {
    const kept = this.kept.get(from);
    if (kept && !this.kept.has(to)) this.kept.set(to, kept);
  }

  /** What is there and not in the archive stays. */
  private putBack(filename: string): void {
    const kept = this.kept.get(filename);
    if (!kept) {
      this.isAllUnsure = true;
      return;
    }
    this.isAllUnsure = false;
    for (const [slug, version] of kept.versions) this.versions.set(slug, version);
    this.active = new Set(kept.active);
    // Files that are only here keep what is not known of them.
    this.unsure = new Set([...kept.unsure, ...[...this.unsure].filter((slug) => !kept.versions.has(slug))]);
  }

  private blame(slug: string, how: string): Finding {
    const last = this.touched.get(slug);
    const what = !last || last.state === 'succeeded' ? 'dit réussi, sans son effet' : `dit échoué, mais fait`;
    return { what, id: `${last?.id ?? 'personne'} ${slug} : ${how}` };
  }
}

export type Interval = { id: string; lock: string; begin: number; end: number };

/** Operations of one folder that ran at the same time, as the host's own journal has them. */
export function overlaps(intervals: readonly Interval[]): Finding[] {
  const sorted = intervals.toSorted((one, other) => one.begin - other.begin);
  return sorted.flatMap((one, at) =>
    sorted
      .slice(at + 1)
      .filter((other) => other.lock === one.lock && other.begin < one.end)
      .map((other) => ({ what: 'deux à la fois sur un site', id: `${one.id} ${other.id}` })),
  );
}

type Window = { id: string; item: string; from: number; to: number };
type Deed = { item: string; at: number };

/** Two clocks of one machine, as far as they are read apart. */
const slackSeconds = 1;

/** Jobs in whose time WordPress says more than once that it did what they were for. */
export function doneTwice(windows: readonly Window[], deeds: readonly Deed[]): Finding[] {
  const isIn = ({ item, from, to }: Window, deed: Deed, slack = 0) =>
    deed.item === item && deed.at >= from - slack && deed.at <= to + slack;
  return windows
    .filter((window) => {
      // What the next one on the site did in its own time, as soon as this one was over, is not this one's.
      const others = windows.filter((other) => other !== window);
      const isOthers = (deed: Deed) => !isIn(window, deed) && others.some((other) => isIn(other, deed));
      return deeds.filter((deed) => isIn(window, deed, slackSeconds) && !isOthers(deed)).length > 1;
    })
    .map(({ id }) => ({ what: 'commencé deux fois', id }));
}
