import { recordFields } from '@vigie/contracts/dns-changes';
import { type DnsRecord, RecordConflict, type RecordContent } from '@vigie/contracts/dns-records';
import { isApiError } from '../../app/api-error';
import type { RecordField } from './words';

/** Those that are not the same. */
export const fieldsBetween = (before: RecordContent, after: RecordContent): RecordField[] =>
  recordFields.filter((field) => before[field] !== after[field]);

/** What stands in the way of a change, where that is why it was refused. */
export function conflictOf(error: unknown): RecordConflict | undefined {
  if (!isApiError(error) || error.status !== 409) return undefined;
  return RecordConflict.safeParse(error.detail).data;
}

/** The same for all of a zone, where it is no longer what was seen of it. */
export const hasZoneChanged = (error: unknown): boolean =>
  isApiError(error) && typeof error.detail === 'object' && error.detail.code === 'zone_changed';

/** Those in which any of several versions differs from another; where one is missing, what the others say. */
export function fieldsAmong(versions: readonly (RecordContent | null)[]): readonly RecordField[] {
  const known = versions.filter((version) => version !== null);
  const differing = recordFields.filter((field) => new Set(known.map((version) => version[field])).size > 1);
  return differing.length > 0 ? differing : ['content', 'ttl'];
}

/** What was loaded, what is there, what was to be: side by side, those of them that there are. */
export const versionsOf = ({ loaded, current, wanted }: RecordConflict, seen: DnsRecord | undefined) =>
  [
    { title: 'Ce que vous aviez sous les yeux', record: loaded ?? seen ?? null },
    { title: 'Chez Cloudflare à présent', record: current },
    { title: 'Ce que vous demandez', record: wanted },
  ] as const;
