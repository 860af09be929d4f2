import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { ProviderRecord } from '../providers/provider';
import { contentOf, shortName, versionOf } from './canonical';

export const toRecord = (record: ProviderRecord, zoneName: string): DnsRecord => ({
  id: record.id,
  ...contentOf(record),
  display_name: shortName(record.name, zoneName),
  version: versionOf(record),
  editable: record.editable,
  proxiable: record.proxiable,
  modified_at: record.modified_at,
});
