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

/** What was loaded, what is there, what was to be: side by side, those of them that there are. */
export const versionsOf = ({ loaded, current, wanted }: RecordConflict, seen: DnsRecord | undefined) =>
  [
    { title: 'Ce que vous aviez sous les yeux', record: loaded ?? seen ?? null },
    { title: 'Chez Cloudflare à présent', record: current },
    { title: 'Ce que vous demandez', record: wanted },
  ] as const;
