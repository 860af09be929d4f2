import { auditTables } from '@vigie/service-kit/audit';
import type { Database } from '@vigie/service-kit/database';
import { DnsConfig } from '../config/config.entity';
import { DnsSnapshot } from '../history/snapshot.entity';
import { PendingWrite } from '../pending-writes/pending-write.entity';
import { Link } from '../mapping/link.entity';
import { DnsZone } from '../zones/zone.entity';
import { CreateDns1795400000000 } from './migrations/1795400000000-create-dns';
import { KeepIntents1795410000000 } from './migrations/1795410000000-keep-intents';

export const database: Database = {
  schema: 'dns',
  entities: [DnsConfig, DnsSnapshot, DnsZone, PendingWrite, Link],
  migrations: [CreateDns1795400000000, KeepIntents1795410000000],
  appendOnly: auditTables,
};
