import type { Finding } from './audit';
import type { Archive } from './sites-truth';

export type Made = { id: string; kind: string; siteId: string; filename: string; size: number; sha256: string | null };

/** What a site's folder holds, and what its list names. */
type Host = { there: readonly Archive[]; listed: readonly string[] };

type Shelves = {
  /** By site. */
  hosts: ReadonlyMap<string, Host>;
  /** What the store holds under the rows that name it; undefined where there is no such object. */
  store: readonly { filename: string; sha256: string; object: Archive | undefined }[];
  /** What succeeded in making an archive somewhere. */
  made: readonly Made[];
  /** `site file` and `local file` that somebody had deleted. */
  deleted: ReadonlySet<string>;
};

/** Lists of archives against the folders and the store that they are lists of. */
export const auditArchives = (shelves: Shelves): Finding[] => [
  ...[...shelves.hosts].flatMap(([siteId, host]) => auditHost(siteId, host)),
  ...shelves.store.flatMap(auditStored),
  ...shelves.made.filter((made) => isMissing(shelves, made)).map(({ id, filename }) => untrue(`${id} ${filename}`)),
];

const untrue = (id: string): Finding => ({ what: 'dit réussi, sans son effet', id });

function auditHost(siteId: string, { there, listed }: Host): Finding[] {
  const names = new Set(there.map(({ filename }) => filename));
  return [
    ...there
      .filter(({ fault }) => fault)
      .map(({ filename, fault }) => ({ what: 'archive incomplète', id: `${filename} : ${fault}` })),
    ...[...names].filter((name) => !listed.includes(name)).map((id) => ({ what: 'archive non listée', id })),
    ...listed
      .filter((name) => !names.has(name))
      .map((id) => ({ what: 'archive listée, absente', id: `${siteId} ${id}` })),
  ];
}

function auditStored({ filename, sha256, object }: Shelves['store'][number]): Finding[] {
  if (!object) return [{ what: 'archive listée, absente', id: `${filename} (local)` }];
  if (!object.fault && object.sha256 === sha256) return [];
  return [{ what: 'archive incomplète', id: `${filename} (local)` }];
}

function isMissing({ hosts, store, deleted }: Shelves, { kind, siteId, filename, size, sha256 }: Made): boolean {
  const isLocal = kind === 'backups.download';
  if (deleted.has(`${isLocal ? 'local' : siteId} ${filename}`)) return false;
  const there = isLocal
    ? store.find((one) => one.filename === filename)?.object
    : hosts.get(siteId)?.there.find((one) => one.filename === filename);
  return there?.size !== size || (sha256 !== null && there.sha256 !== sha256);
}
