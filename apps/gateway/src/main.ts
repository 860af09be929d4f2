import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { announceReady, openKit, stopOnSignal } from '@vigie/service-kit/bootstrap';
import { refuseToStart } from '@vigie/service-kit/env';
import { NestLog } from '@vigie/service-kit/log';
import { env } from './env';
import { ErrorsFilter } from './errors.filter';
import { GatewayModule } from './gateway.module';
import { openHttp } from './http';
import { Admission } from './admission';
import { RequestBudget } from './request-budget';
import { RouteList } from './route-list';
import { readWebFiles } from './web-files';

/**
 * Connections that may wait to be accepted, of which Node takes one in each turn of its event loop. The system silently
 * drops any more: their clients retry with doubling pauses, and may fail in the end.
 */
const acceptBacklog = 4_096;

const kit = await openKit('gateway', env);
const { adapter, addHooks } = openHttp(kit.log);
const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.with(kit), adapter, {
  logger: new NestLog(kit.log),
  bodyParser: false,
  abortOnError: false,
});
app.useGlobalFilters(new ErrorsFilter(kit.log));
addHooks(app.get(RequestBudget), app.get(Admission), await readWebFiles(env.VIGIE_WEB_ROOT));
await app.init();
const faults = app.get(RouteList).faults();
if (faults.length > 0) refuseToStart(faults);
await app.listen({ port: env.PORT, host: env.HOST, backlog: acceptBacklog }).catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') refuseToStart([`PORT: ${env.HOST}:${env.PORT} is taken`]);
  throw error;
});
stopOnSignal(kit, () => app.close());
await announceReady(kit);
