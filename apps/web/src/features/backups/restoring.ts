import type { ArchiveEntry, Backup } from '@vigie/contracts/backups';
import type { RestoreResult, RestoreMode, RestoreScope } from '@vigie/contracts/restores';
import { database } from './words';

export type Archive = Pick<Backup, 'filename' | 'size' | 'createdAt' | 'location' | 'verified'>;
export type Wanted = { mode: RestoreMode; scope: RestoreScope; path: string };
/** What a dialog was opened for; `only` is the one part of the archive that was chosen, where one was. */
export type Restoring = { archive: Archive; wanted: Wanted; only?: ArchiveEntry['kind'] };

/** Of a whole archive, from which something less may still be chosen. */
export const wholes = ['all', 'database', 'uploads', 'plugins', 'themes'] as const satisfies readonly RestoreScope[];

export const wholeOf = (archive: Archive): Restoring => ({
  archive,
  wanted: { mode: 'merge', scope: 'all', path: '' },
});

/** About the archive itself: nothing of a site. */
const labels = new Set(['package.json', 'multisite.json']);

/** Undefined for what no restore writes. */
export function partOf(archive: Archive, { kind, path }: Pick<ArchiveEntry, 'kind' | 'path'>): Restoring | undefined {
  if (labels.has(path)) return undefined;
  const wanted = (scope: RestoreScope, name: string): Wanted => ({ mode: 'merge', scope, path: name });
  if (path === database) return { archive, wanted: wanted('database', ''), only: kind };
  if (kind === 'table') return { archive, wanted: wanted('table', path.slice(database.length + 1)), only: kind };
  return { archive, wanted: wanted('path', path), only: kind };
}

/** The way back from a restore: as much of the site as it changed, exactly as it was. */
export const backOf = (safety: Archive, { scope, path }: Pick<RestoreResult, 'scope' | 'path'>): Restoring => ({
  archive: safety,
  wanted: { mode: 'replace', scope, path },
});

/** A file or a table is what the archive holds in either mode. */
export const hasModes = ({ only, wanted: { scope } }: Restoring): boolean =>
  scope !== 'table' && !(scope === 'path' && only === 'file');

/** In whatever prefix: who may log in to WordPress, and with what rights. */
const isAboutAccounts = (table: string) => /(?:^|_)user(?:s|meta)$/i.test(table);

export const changesAccounts = ({ scope, path }: Pick<Wanted, 'scope' | 'path'>): boolean =>
  scope === 'all' || scope === 'database' || (scope === 'table' && isAboutAccounts(path));
