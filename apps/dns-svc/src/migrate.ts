import { migrateFromEnv } from '@vigie/service-kit/migrate';
import { database } from './db/database';

await migrateFromEnv('dns-svc', database);
