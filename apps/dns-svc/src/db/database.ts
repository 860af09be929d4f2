import { auditTables } from '@vigie/service-kit/audit';
import type { Database } from '@vigie/service-kit/database';
import { DnsConfig } from '../config/config.entity';
import { Link } from '../mapping/link.entity';
import { DnsSnapshot } from '../records/snapshot.entity';
import { DnsZone } from '../zones/zone.entity';
import { CreateDns1795400000000 } from './migrations/1795400000000-create-dns';

export const database: Database = {
  schema: 'dns',
  entities: [DnsConfig, DnsSnapshot, DnsZone, Link],
  migrations: [CreateDns1795400000000],
  appendOnly: auditTables,
};
