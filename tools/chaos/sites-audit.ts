import type { Finding } from './audit';

/** WordPress itself, which no backup contains. */
export const core = 'core/wordpress';

/** Names an item: a plugin by its slug, others with their kind. */
export const itemName = (kind: string, slug: string) => (kind === 'plugin' ? slug : `${kind}/${slug}`);

/** The versions in a site's files, and the active items. */
export type SiteState = { versions: ReadonlyMap<string, string>; active: ReadonlySet<string> };

/** A finished job of a site, as the database reports it. */
export type SiteJob = {
  id: string;
  kind: string;
  state: string;
  item: string | null;
  input: Record<string, unknown>;
  result: Record<string, unknown>;
  code: string | null;
};

/** Error codes of a change whose rollback did not finish either. */
const incompleteCodes: readonly string[] = ['not_rolled_back', 'interrupted'];
const replacingKinds: readonly string[] = ['changes.update', 'changes.install', 'changes.restore'];
const filenameOf = (value: unknown) => String(Object(value).filename);

/** Computes the expected state of a site from its jobs, which run one by one and are applied in the order of their end. */
export class ExpectedSite {
  private readonly versions: Map<string, string>;
  private active: Set<string>;
  /** Items with a reported unknown result. */
  private uncertain = new Set<string>();
  private isUncertain = false;
  /** The state in each backup, by filename. */
  private readonly backups = new Map<string, SiteState & { uncertain: ReadonlySet<string> }>();
  /** The active items before the last WordPress update: a rollback restores the tables with the files. */
  private activeBefore: ReadonlySet<string> | undefined;
  private readonly lastJobs = new Map<string, SiteJob>();
  readonly findings: Finding[] = [];

  constructor(first: SiteState) {
    this.versions = new Map(first.versions);
    this.active = new Set(first.active);
  }

  apply(job: SiteJob): void {
    const { kind, state, code } = job;
    if (kind.startsWith('changes.')) {
      if (state === 'succeeded') this.applyChange(job);
      else if (state === 'unknown' || incompleteCodes.includes(code ?? '')) this.uncertain.add(job.item ?? '');
      if (state !== 'cancelled' || job.code) this.lastJobs.set(job.item ?? '', job);
    } else if (kind.startsWith('backups.')) this.applyBackupJob(job);
  }

  compare(actual: SiteState): Finding[] {
    if (this.isUncertain) return this.findings;
    const slugs = new Set([...this.versions.keys(), ...actual.versions.keys()]);
    const differing = [...slugs].filter(
      (slug) =>
        !this.uncertain.has(slug) &&
        (this.versions.get(slug) !== actual.versions.get(slug) || this.active.has(slug) !== actual.active.has(slug)),
    );
    const describe = (slug: string, { versions, active }: SiteState) =>
      `${versions.get(slug) ?? 'absente'}${active.has(slug) ? ' active' : ''}`;
    const expected = { versions: this.versions, active: this.active };
    const findings = differing.map((slug) =>
      this.createFinding(slug, `${describe(slug, expected)} attendu, ${describe(slug, actual)} trouvé`),
    );
    return [...this.findings, ...findings];
  }

  private applyChange({ id, kind, item, result }: SiteJob): void {
    const name = item ?? '';
    const [from, to, status] = [result['from'], result['to'], result['status']];
    const isKnown = !this.isUncertain && !this.uncertain.has(name);
    const previous = this.versions.get(name) ?? null;
    // The version that a change found must be the one that the previous change reported.
    if (isKnown && replacingKinds.includes(kind) && from !== previous) {
      this.findings.push(this.createFinding(name, `${id} a trouvé ${String(from)} au lieu de ${String(previous)}`));
    }
    this.uncertain.delete(name);
    if (typeof to === 'string') this.versions.set(name, to);
    else if (kind === 'changes.restore') this.versions.delete(name);
    if (status === 'active' || kind === 'changes.activate') this.active.add(name);
    else if (status === 'inactive' || kind === 'changes.deactivate' || typeof to !== 'string') this.active.delete(name);
    if (name === core) this.applyCoreChange(kind);
  }

  /** A rollback of WordPress also restores which plugins were active. */
  private applyCoreChange(kind: string): void {
    const activeNow = new Set(this.active);
    if (kind === 'changes.restore') {
      const others = [...this.versions.keys()].filter((name) => name !== core);
      if (!this.activeBefore) this.uncertain = new Set([...this.uncertain, ...others]);
      this.active = new Set(this.activeBefore ?? activeNow);
    }
    this.activeBefore = activeNow;
  }

  private applyBackupJob({ kind, state, input, result }: SiteJob): void {
    const createdFile = filenameOf(result);
    if (state === 'unknown' && kind === 'backups.restore') this.isUncertain = true;
    if (state !== 'succeeded') return;
    if (kind === 'backups.create') this.saveBackup(createdFile);
    if (kind === 'backups.download') this.copyBackup(filenameOf(input), String(result['local']));
    if (kind === 'backups.import') this.copyBackup(filenameOf(input), createdFile);
    if (kind !== 'backups.restore') return;
    this.saveBackup(filenameOf(result['safety']));
    this.restoreBackup(filenameOf(input));
  }

  private saveBackup(filename: string): void {
    if (this.isUncertain) return;
    const versions = new Map([...this.versions].filter(([name]) => name !== core));
    const uncertain = new Set([...this.uncertain].filter((name) => name !== core));
    this.backups.set(filename, { versions, active: new Set(this.active), uncertain });
  }

  private copyBackup(from: string, to: string): void {
    const backup = this.backups.get(from);
    if (backup && !this.backups.has(to)) this.backups.set(to, backup);
  }

  /** Items that are not in the backup stay. */
  private restoreBackup(filename: string): void {
    const backup = this.backups.get(filename);
    if (!backup) {
      this.isUncertain = true;
      return;
    }
    this.isUncertain = false;
    for (const [slug, version] of backup.versions) this.versions.set(slug, version);
    this.active = new Set(backup.active);
    // Items outside the backup stay uncertain.
    this.uncertain = new Set([
      ...backup.uncertain,
      ...[...this.uncertain].filter((slug) => !backup.versions.has(slug)),
    ]);
  }

  private createFinding(slug: string, description: string): Finding {
    const last = this.lastJobs.get(slug);
    const kind = !last || last.state === 'succeeded' ? 'dit réussi, sans son effet' : `dit échoué, mais fait`;
    return { kind, id: `${last?.id ?? 'personne'} ${slug} : ${description}` };
  }
}

export type Interval = { id: string; lock: string; begin: number; end: number };

/** Finds operations that overlap in the same folder, according to the host's journal. */
export function findOverlappingOperations(intervals: readonly Interval[]): Finding[] {
  const sorted = intervals.toSorted((first, second) => first.begin - second.begin);
  return sorted.flatMap((first, index) =>
    sorted
      .slice(index + 1)
      .filter((second) => second.lock === first.lock && second.begin < first.end)
      .map((second) => ({ kind: 'deux à la fois sur un site', id: `${first.id} ${second.id}` })),
  );
}

type JobWindow = { id: string; item: string; from: number; to: number };
type WordPressAction = { item: string; at: number };

/** The tolerance between two readings of the clock. */
const slackSeconds = 1;

/** Finds jobs during which WordPress did their action more than once. */
export function findRepeatedActions(windows: readonly JobWindow[], actions: readonly WordPressAction[]): Finding[] {
  const isWithin = ({ item, from, to }: JobWindow, action: WordPressAction, slack = 0) =>
    action.item === item && action.at >= from - slack && action.at <= to + slack;
  return windows
    .filter((window) => {
      // An action within the time of another job belongs to that job.
      const others = windows.filter((second) => second !== window);
      const isOfAnotherJob = (action: WordPressAction) =>
        !isWithin(window, action) && others.some((second) => isWithin(second, action));
      return actions.filter((action) => isWithin(window, action, slackSeconds) && !isOfAnotherJob(action)).length > 1;
    })
    .map(({ id }) => ({ kind: 'commencé deux fois', id }));
}
