import { recordFields } from '@vigie/contracts/dns-changes';
import { type DnsRecord, RecordConflict, type RecordContent } from '@vigie/contracts/dns-records';
import { isApiError } from '../../kit/query/api-error';
import type { RecordField } from './words';

export const fieldsBetween = (before: RecordContent, after: RecordContent): RecordField[] =>
  recordFields.filter((field) => before[field] !== after[field]);

/** Reads the versions out of the refusal of a change to a record that has changed meanwhile. */
export function conflictOf(error: unknown): RecordConflict | undefined {
  if (!isApiError(error) || error.status !== 409) return undefined;
  return RecordConflict.safeParse(error.detail).data;
}

/** Whether a bulk change was refused because the zone has changed since its preview. */
export const hasZoneChanged = (error: unknown): boolean =>
  isApiError(error) && typeof error.detail === 'object' && error.detail.code === 'zone_changed';

/** The fields that differ between the existing versions; content and TTL where none differs. */
export function fieldsAmong(versions: readonly (RecordContent | null)[]): readonly RecordField[] {
  const existing = versions.filter((version) => version !== null);
  const differing = recordFields.filter((field) => new Set(existing.map((version) => version[field])).size > 1);
  return differing.length > 0 ? differing : ['content', 'ttl'];
}

export const versionsOf = ({ loaded, current, wanted }: RecordConflict, opened: DnsRecord | undefined) =>
  [
    { title: 'La version que vous avez ouverte', record: loaded ?? opened ?? null },
    { title: 'La version actuelle chez Cloudflare', record: current },
    { title: 'Votre modification', record: wanted },
  ] as const;
