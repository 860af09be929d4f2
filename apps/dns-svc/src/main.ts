import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { databaseModule, serviceUrl } from '@vigie/service-kit/database';
import { database } from './db/database';
import { env } from './env';
import { DnsModule } from './dns.module';

const kit = await openKit('dns-svc', env);
const url = serviceUrl(env.DATABASE_URL, database.schema, kit.keys.database_password);
await startService(kit, DnsModule.with(kit, await databaseModule(url, database, kit.log)));
