import { auditTables } from '@vigie/service-kit/audit';
import type { Database } from '@vigie/service-kit/database';
import { Activity } from '../activity/activity.entity';
import { Server } from '../servers/server.entity';
import { CreateActivity1795262400000 } from './migrations/1795262400000-create-activity';
import { CreateServers1795349000000 } from './migrations/1795349000000-create-servers';

export const database: Database = {
  schema: 'sites',
  entities: [Activity, Server],
  migrations: [CreateActivity1795262400000, CreateServers1795349000000],
  appendOnly: auditTables,
};
