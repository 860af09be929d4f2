import type { RecordContent } from '@vigie/contracts/dns-records';

/** A record of the zone `exemple.fr`. */
export const aRecord = (name: string, fields: Partial<RecordContent> = {}): RecordContent => ({
  type: 'A',
  name: name === '@' ? 'exemple.fr' : `${name}.exemple.fr`,
  content: '203.0.113.1',
  ttl: 300,
  priority: null,
  proxied: false,
  comment: null,
  ...fields,
});

/** The record as stored by the provider. */
export const storedRecord = (id: string, record: RecordContent) => ({
  id,
  ...record,
  editable: true,
  proxiable: true,
  modified_at: null,
});
