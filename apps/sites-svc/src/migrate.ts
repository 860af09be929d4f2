import { migrateFromEnv } from '@vigie/service-kit/migrate';
import { database } from './db/database';

await migrateFromEnv('sites-svc', database);
