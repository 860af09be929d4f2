/** What the ledger says of one job of a trial. */
export type Told = { id: string; kind: string; state: string; isCancelAsked: boolean; said: string | null };

const notes = ['begin', 'end', 'failed', 'stopped'] as const;
const noteForm = new RegExp(`^(${notes.join('|')}) (\\S+) (.+)$`);

/** A line of a host's log of effects: what really happened there, in order. */
export type Effect = { what: (typeof notes)[number]; id: string; site: string };

/** What a host's disk holds afterwards. */
export type Disk = {
  /** The ids that `append` left, as often as it did. */
  lines: readonly string[];
  /** By the id of the `write` that left it, its SHA-256. */
  files: ReadonlyMap<string, string>;
};

export type Evidence = {
  accepted: readonly string[];
  ledger: readonly Told[];
  /** Of each host. */
  effects: readonly (readonly Effect[])[];
  disks: readonly Disk[];
  /** What the ledger gave or believed that it should have refused. */
  believed: readonly { what: string; id: string }[];
  /** Parts of files, processes, leases and transactions that nobody ended. */
  leftovers: readonly string[];
};

export type Finding = { what: string; id: string };

/** Compares what was promised and what was said with what was done. Empty when every word of it is true. */
export function audit(evidence: Evidence): Finding[] {
  const effects = evidence.effects.flat();
  const ledger = new Map(evidence.ledger.map((told) => [told.id, told]));
  return [
    ...evidence.accepted.filter((id) => !ledger.has(id)).map((id) => ({ what: 'perdu', id })),
    ...evidence.ledger.flatMap((told) =>
      falsehoods(told, effects, evidence.disks).map((what) => ({ what, id: told.id })),
    ),
    ...repeated(effects).map((id) => ({ what: 'commencé deux fois', id })),
    ...evidence.effects.flatMap(overlapping).map((id) => ({ what: 'deux à la fois sur un site', id })),
    ...evidence.believed,
    ...evidence.leftovers.map((id) => ({ what: 'reste', id })),
  ];
}

function falsehoods(told: Told, effects: readonly Effect[], disks: readonly Disk[]): string[] {
  if (!told.kind.startsWith('trial.')) return isFinal(told) ? [] : ['jamais terminé'];
  const has = (what: Effect['what']) => effects.some((effect) => effect.id === told.id && effect.what === what);
  switch (told.state) {
    case 'succeeded':
      return has('end') && isThere(told, disks) ? [] : ['dit réussi, sans son effet'];
    case 'failed':
      if (has('failed')) return [];
      // No fault of a trial lasts as long as a job is tried.
      return [has('begin') ? 'dit échoué, mais commencé' : 'dit échoué, sans essai'];
    case 'cancelled':
      return has('end') || has('failed') ? ['dit annulé, mais terminé'] : [];
    case 'unknown':
      // Its host was away while somebody wanted it ended; else the journal always tells.
      return told.isCancelAsked ? [] : ['dit inconnu, ce que le journal sait'];
    default:
      return ['jamais terminé'];
  }
}

const isFinal = ({ state }: Told) => ['succeeded', 'failed', 'cancelled', 'unknown'].includes(state);

function isThere({ id, kind, said }: Told, disks: readonly Disk[]): boolean {
  if (kind === 'trial.fail') return false;
  if (kind === 'trial.append') return disks.flatMap(({ lines }) => lines).filter((line) => line === id).length === 1;
  if (kind === 'trial.write') return disks.some(({ files }) => said !== null && files.get(id) === said);
  return true;
}

function repeated(effects: readonly Effect[]): string[] {
  const begun = effects.flatMap(({ what, id }) => (what === 'begin' ? [id] : []));
  return [...new Set(begun.filter((id, place) => begun.indexOf(id) !== place))];
}

/** Those that began on a site between the beginning and the end of another. What was killed has no end to tell by. */
function overlapping(effects: readonly Effect[]): string[] {
  const ended = new Set(effects.flatMap(({ what, id }) => (what === 'begin' ? [] : [id])));
  const open = new Map<string, string>();
  return effects.flatMap(({ what, id, site }) => {
    const other = open.get(site);
    if (what === 'begin' && ended.has(id)) open.set(site, id);
    else if (what !== 'begin' && other === id) open.delete(site);
    return what === 'begin' && other !== undefined && other !== id ? [id] : [];
  });
}

export function readEffects(text: string): Effect[] {
  return text.split('\n').flatMap((line) => {
    const [, said, id = '', site = ''] = noteForm.exec(line) ?? [];
    return notes.flatMap((what) => (what === said ? [{ what, id, site }] : []));
  });
}
