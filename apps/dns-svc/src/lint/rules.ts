import type { DnsFinding } from '@vigie/contracts/dns-lint';
import type { ProviderRecord } from '../providers/provider';
import { shortName } from '../records/canonical';

export type ZoneToLint = { name: string; records: readonly ProviderRecord[] };

type Severity = DnsFinding['severity'];
type FindingText = { message: string; remedy?: string };

export function finding(
  { name: zoneName }: ZoneToLint,
  rule: string,
  severity: Severity,
  where: string | readonly ProviderRecord[],
  { message, remedy }: FindingText,
): DnsFinding {
  const records = typeof where === 'string' ? [] : where;
  const name = typeof where === 'string' ? where : (where[0]?.name ?? zoneName);
  return {
    rule,
    severity,
    name: shortName(name, zoneName),
    message,
    remedy: remedy ?? null,
    record_ids: records.map(({ id }) => id),
  };
}

export const ofType = ({ records }: ZoneToLint, type: string): ProviderRecord[] =>
  records.filter((record) => record.type === type);

export function groupBy(
  records: readonly ProviderRecord[],
  recordKey: (record: ProviderRecord) => string,
): ProviderRecord[][] {
  const groups = new Map<string, ProviderRecord[]>();
  for (const record of records) groups.set(recordKey(record), [...(groups.get(recordKey(record)) ?? []), record]);
  return [...groups.values()];
}

export const receivesMail = (zone: ZoneToLint): boolean =>
  ofType(zone, 'MX').some(({ name, content }) => name === zone.name && content !== '.');
