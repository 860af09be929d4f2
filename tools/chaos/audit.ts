export type ReportedJob = { id: string; kind: string; state: string; isCancelAsked: boolean; output: string | null };

const effectKinds = ['begin', 'end', 'failed', 'stopped'] as const;
const effectPattern = new RegExp(`^(${effectKinds.join('|')}) (\\S+) (.+)$`);

/** A line of a host's log of effects, which records what really happened there. */
export type Effect = { kind: (typeof effectKinds)[number]; id: string; site: string };

export type Disk = {
  /** The ids that `append` jobs wrote, one line per run. */
  lines: readonly string[];
  /** The SHA-256 of the file of each `write` job. */
  files: ReadonlyMap<string, string>;
};

export type Evidence = {
  accepted: readonly string[];
  ledger: readonly ReportedJob[];
  effects: readonly (readonly Effect[])[];
  disks: readonly Disk[];
  /** Claims and results of a stale worker that the product should have refused. */
  wronglyAccepted: readonly { kind: string; id: string }[];
  /** Partial files, processes, leases and transactions that should have ended. */
  leftovers: readonly string[];
};

export type Finding = { kind: string; id: string };

/** Compares accepted orders and reported results with the real effects. */
export function audit(evidence: Evidence): Finding[] {
  const effects = evidence.effects.flat();
  const ledger = new Map(evidence.ledger.map((job) => [job.id, job]));
  return [
    ...evidence.accepted.filter((id) => !ledger.has(id)).map((id) => ({ kind: 'perdu', id })),
    ...evidence.ledger.flatMap((job) =>
      falseReports(job, effects, evidence.disks).map((kind) => ({ kind, id: job.id })),
    ),
    ...findRepeated(effects).map((id) => ({ kind: 'commencé deux fois', id })),
    ...evidence.effects.flatMap(findOverlaps).map((id) => ({ kind: 'deux à la fois sur un site', id })),
    ...evidence.wronglyAccepted,
    ...evidence.leftovers.map((id) => ({ kind: 'reste', id })),
  ];
}

function falseReports(job: ReportedJob, effects: readonly Effect[], disks: readonly Disk[]): string[] {
  if (!job.kind.startsWith('trial.')) return isFinal(job) ? [] : ['jamais terminé'];
  const has = (kind: Effect['kind']) => effects.some((effect) => effect.id === job.id && effect.kind === kind);
  switch (job.state) {
    case 'succeeded':
      return has('end') && hasEffect(job, disks) ? [] : ['dit réussi, sans son effet'];
    case 'failed':
      if (has('failed')) return [];
      // Jobs are retried longer than any fault lasts.
      return [has('begin') ? 'dit échoué, mais commencé' : 'dit échoué, sans essai'];
    case 'cancelled':
      return has('end') || has('failed') ? ['dit annulé, mais terminé'] : [];
    case 'unknown':
      // Unknown is only right for a cancelled job whose host was away; otherwise the journal knows the result.
      return job.isCancelAsked ? [] : ['dit inconnu, ce que le journal sait'];
    default:
      return ['jamais terminé'];
  }
}

const isFinal = ({ state }: ReportedJob) => ['succeeded', 'failed', 'cancelled', 'unknown'].includes(state);

function hasEffect({ id, kind, output }: ReportedJob, disks: readonly Disk[]): boolean {
  if (kind === 'trial.fail') return false;
  if (kind === 'trial.append') return disks.flatMap(({ lines }) => lines).filter((line) => line === id).length === 1;
  if (kind === 'trial.write') return disks.some(({ files }) => output !== null && files.get(id) === output);
  return true;
}

function findRepeated(effects: readonly Effect[]): string[] {
  const startedIds = effects.flatMap(({ kind, id }) => (kind === 'begin' ? [id] : []));
  return [...new Set(startedIds.filter((id, index) => startedIds.indexOf(id) !== index))];
}

/** Finds jobs that began on a site while another was running. Killed jobs have no end and are ignored. */
function findOverlaps(effects: readonly Effect[]): string[] {
  const ended = new Set(effects.flatMap(({ kind, id }) => (kind === 'begin' ? [] : [id])));
  const runningJobs = new Map<string, string>();
  return effects.flatMap(({ kind, id, site }) => {
    const running = runningJobs.get(site);
    if (kind === 'begin' && ended.has(id)) runningJobs.set(site, id);
    else if (kind !== 'begin' && running === id) runningJobs.delete(site);
    return kind === 'begin' && running !== undefined && running !== id ? [id] : [];
  });
}

export function readEffects(text: string): Effect[] {
  return text.split('\n').flatMap((line) => {
    const [, output, id = '', site = ''] = effectPattern.exec(line) ?? [];
    return effectKinds.flatMap((kind) => (kind === output ? [{ kind, id, site }] : []));
  });
}
