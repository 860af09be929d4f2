import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { databaseModule, serviceUrl } from '@vigie/service-kit/database';
import { AuthModule } from './auth.module';
import { database } from './db/database';
import { env } from './env';

const kit = await openKit('auth-svc', env);
const url = serviceUrl(env.DATABASE_URL, database.schema, kit.keys.database_password);
await startService(kit, AuthModule.with(kit, await databaseModule(url, database, kit.log)));
