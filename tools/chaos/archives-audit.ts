import type { Finding } from './audit';
import type { Archive } from './sites-truth';

export type Made = { id: string; kind: string; siteId: string; filename: string; size: number; sha256: string | null };

type Shelves = {
  /** By site, what its folder holds, and what its list names. */
  hosts: ReadonlyMap<string, { there: readonly Archive[]; listed: readonly string[] }>;
  /** What the store holds under the rows that name it; undefined where there is no such object. */
  store: readonly { filename: string; sha256: string; object: Archive | undefined }[];
  /** What succeeded in making an archive somewhere. */
  made: readonly Made[];
  /** `site file` and `local file` that somebody had deleted. */
  deleted: ReadonlySet<string>;
};

/** Lists of archives against the folders and the store that they are lists of. */
export function auditArchives({ hosts, store, made, deleted }: Shelves): Finding[] {
  const found: Finding[] = [];
  const say = (what: string, id: string) => found.push({ what, id });
  for (const [siteId, { there, listed }] of hosts) {
    for (const { filename, fault } of there) {
      if (fault) say('archive incomplète', `${filename} : ${fault}`);
      if (!listed.includes(filename)) say('archive non listée', filename);
    }
    const names = new Set(there.map(({ filename }) => filename));
    for (const name of listed) if (!names.has(name)) say('archive listée, absente', `${siteId} ${name}`);
  }
  for (const { filename, sha256, object } of store) {
    if (!object) say('archive listée, absente', filename);
    else if (object.fault || object.sha256 !== sha256) say('archive incomplète', `${filename} (local)`);
  }
  for (const one of made) {
    const isLocal = one.kind === 'backups.download';
    if (deleted.has(`${isLocal ? 'local' : one.siteId} ${one.filename}`)) continue;
    const onHost = hosts.get(one.siteId)?.there.find(({ filename }) => filename === one.filename);
    const inStore = store.find(({ filename }) => filename === one.filename)?.object;
    const there = isLocal ? inStore : onHost;
    if (!there || there.size !== one.size || (one.sha256 !== null && there.sha256 !== one.sha256))
      say('dit réussi, sans son effet', `${one.id} ${one.filename}`);
  }
  return found;
}
