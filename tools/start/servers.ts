import { type Log, Refusal, fr } from '../terminal';
import { launch, stopRunning } from './child';
import { type Addresses, readAddresses } from './env';
import { stopLeftovers } from './leftovers';
import { lastError, linesSince, logFile } from './logs';
import { nats } from './nats';
import { provideServers } from './packages';
import { type ServerStorage, makeHome, openStorage } from './server-storage';
import { answers, freePort } from './ports';
import { postgresql } from './postgres';
import { redis } from './redis';
import type { ServerKind, Server } from './server';
import { Supervisor } from './supervisor';
import { waitFor } from './wait';

export type Servers = {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  stop: (graceMs?: number) => Promise<void>;
};

type Options = {
  /** The state folder, which one starter may use at a time. */
  home: string;
  log: Log;
  /** False for tests, whose data may be lost in a power cut. */
  durable?: boolean;
  addresses?: Addresses;
  /** Aborts the start. */
  signal?: AbortSignal;
};

type Context = { home: string; log: Log; supervisor: Supervisor; signal: AbortSignal | undefined };

const maxAttempts = 3;
const recoveryMs = 300_000;
const stopMs = 8_000;

/** Uses the PostgreSQL, Redis and NATS of the environment, or starts private ones that run until `stop`. */
export async function startServers(options: Options): Promise<Servers> {
  const { urls, stop } = await startKinds(options, [postgresql, redis, nats]);
  const [databaseUrl = '', redisUrl = '', natsUrl = ''] = urls;
  return { databaseUrl, redisUrl, natsUrl, stop };
}

/** Starts only PostgreSQL, for backup and restore while the product is stopped. */
export async function startDatabase(options: Options): Promise<Pick<Servers, 'databaseUrl' | 'stop'>> {
  const { urls, stop } = await startKinds(options, [postgresql]);
  const [databaseUrl = ''] = urls;
  return { databaseUrl, stop };
}

type StartedServers = { urls: string[]; stop: Servers['stop'] };

async function startKinds(options: Options, kinds: readonly ServerKind[]): Promise<StartedServers> {
  const { home, log, durable = true, addresses = readAddresses(), signal } = options;
  makeHome(home);
  await stopLeftovers(home, log);
  const privateKinds = kinds.filter(({ variable }) => !addresses[variable]);
  // The state folder of non-durable servers is temporary, so a log there would be lost.
  await provideServers(privateKinds, { log, signal, logFile: durable ? logFile(home, 'packages') : undefined });
  let openedStorage: ServerStorage | undefined;
  const storage = () => (openedStorage ??= openStorage(home, log));
  const context = { home, log, supervisor: new Supervisor(home, log), signal };
  const obtainUrl = async (kind: ServerKind) => {
    const address = addresses[kind.variable];
    if (address !== undefined) await checkAddress(kind, address);
    return address ?? startPrivate(await kind.prepare(storage(), durable), context);
  };
  const stop = (graceMs = stopMs) => context.supervisor.stop(graceMs);
  const urls = kinds.map(obtainUrl);
  try {
    return { urls: await Promise.all(urls), stop };
  } catch (error) {
    await Promise.allSettled(urls);
    await stop();
    throw error;
  }
}

/** Only checks that something answers at an external address; the services check the rest. */
async function checkAddress({ title, variable }: ServerKind, url: string): Promise<void> {
  const [first = ''] = url.split(',');
  const { hostname, port } = URL.canParse(first) ? new URL(first) : { hostname: '', port: '' };
  if (hostname === '') throw new Refusal(fr`${variable} n’est pas une adresse complète.`);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPorts[variable] };
  if (await answers(address, '', /^/)) return;
  throw new Refusal(fr`${title} ne répond pas à ${hostname}:${address.port}, l’adresse de ${variable}.`);
}

const defaultPorts = { DATABASE_URL: 5432, REDIS_URL: 6379, NATS_URL: 4222 };

/** Tries several ports, because a free port may be taken a moment later. */
async function startPrivate(
  createServer: (port: number) => Server,
  { home, log, supervisor, signal }: Context,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const server = createServer(await freePort());
    const running = launch(home, server.program);
    const death = new AbortController();
    void running.exited.then(() => death.abort());
    signal?.addEventListener('abort', () => death.abort(), { once: true });
    if (await waitFor(() => server.isReady(), { timeoutMs: recoveryMs, everyMs: 20, signal: death.signal })) {
      supervisor.keep(server.program, {}, running);
      log(fr`${server.program.title} est prêt (privé, port ${new URL(server.url).port}).`);
      return server.url;
    }
    await stopRunning(running, stopMs);
    signal?.throwIfAborted();
    if (attempt < maxAttempts) continue;
    const file = logFile(home, server.program.name);
    const reason = lastError(linesSince(file, running.logStart)) ?? '…';
    throw new Refusal(fr`${server.program.title} ne démarre pas : « ${reason} » (journal : ${file}).`);
  }
}
