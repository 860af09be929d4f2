import type { Finding } from './audit';
import type { Archive } from './read-sites';

export type CreatedArchive = {
  id: string;
  kind: string;
  siteId: string;
  filename: string;
  size: number;
  sha256: string | null;
};

/** The archives in a site's folder, and the names in its list. */
type HostArchives = { archives: readonly Archive[]; listed: readonly string[] };

type ArchiveEvidence = {
  hosts: ReadonlyMap<string, HostArchives>;
  /** The rows of local backups with their stored objects, if these exist. */
  store: readonly { filename: string; sha256: string; object: Archive | undefined }[];
  created: readonly CreatedArchive[];
  /** Deleted archives, as `site file` or `local file`. */
  deleted: ReadonlySet<string>;
};

/** Compares the lists of archives with the folders and the store. */
export const auditArchives = (evidence: ArchiveEvidence): Finding[] => [
  ...[...evidence.hosts].flatMap(([siteId, host]) => auditHost(siteId, host)),
  ...evidence.store.flatMap(auditStored),
  ...evidence.created
    .filter((created) => isMissing(evidence, created))
    .map(({ id, filename }) => falseSuccess(`${id} ${filename}`)),
];

const falseSuccess = (id: string): Finding => ({ kind: 'dit réussi, sans son effet', id });

function auditHost(siteId: string, { archives, listed }: HostArchives): Finding[] {
  const names = new Set(archives.map(({ filename }) => filename));
  return [
    ...archives
      .filter(({ fault }) => fault)
      .map(({ filename, fault }) => ({ kind: 'archive incomplète', id: `${filename} : ${fault}` })),
    ...[...names].filter((name) => !listed.includes(name)).map((id) => ({ kind: 'archive non listée', id })),
    ...listed
      .filter((name) => !names.has(name))
      .map((id) => ({ kind: 'archive listée, absente', id: `${siteId} ${id}` })),
  ];
}

function auditStored({ filename, sha256, object }: ArchiveEvidence['store'][number]): Finding[] {
  if (!object) return [{ kind: 'archive listée, absente', id: `${filename} (local)` }];
  if (!object.fault && object.sha256 === sha256) return [];
  return [{ kind: 'archive incomplète', id: `${filename} (local)` }];
}

function isMissing(
  { hosts, store, deleted }: ArchiveEvidence,
  { kind, siteId, filename, size, sha256 }: CreatedArchive,
): boolean {
  const isLocal = kind === 'backups.download';
  if (deleted.has(`${isLocal ? 'local' : siteId} ${filename}`)) return false;
  const archives = isLocal
    ? store.find((archive) => archive.filename === filename)?.object
    : hosts.get(siteId)?.archives.find((archive) => archive.filename === filename);
  return archives?.size !== size || (sha256 !== null && archives.sha256 !== sha256);
}
