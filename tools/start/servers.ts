import { type Log, Refusal, fr } from '../terminal';
import { launch, stopRunning } from './child';
import { type Addresses, readAddresses } from './env';
import { stopLeftovers } from './leftovers';
import { lastError, linesSince, logFile } from './logs';
import { nats } from './nats';
import { provide } from './packages';
import { type Place, makeHome, openPlace } from './place';
import { answers, freePort } from './ports';
import { postgresql } from './postgres';
import { redis } from './redis';
import type { Kind, Server } from './server';
import { Supervisor } from './supervisor';
import { waitFor } from './wait';

export type Servers = {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  stop: (graceMs?: number) => Promise<void>;
};

type Options = {
  /** The state folder; one starter at a time has it. */
  home: string;
  log: Log;
  /** False for tests, whose data nobody misses after a power cut. */
  durable?: boolean;
  addresses?: Addresses;
  /** Cuts the start short. */
  signal?: AbortSignal;
};

type Context = { home: string; log: Log; supervisor: Supervisor; signal: AbortSignal | undefined };

const portsTried = 3;
const recoveryMs = 300_000;
const stopMs = 8_000;

/** PostgreSQL, Redis and NATS: those the environment names, else private ones, kept running until `stop`. */
export async function startServers(options: Options): Promise<Servers> {
  const { urls, stop } = await startKinds(options, [postgresql, redis, nats]);
  const [databaseUrl = '', redisUrl = '', natsUrl = ''] = urls;
  return { databaseUrl, redisUrl, natsUrl, stop };
}

/** PostgreSQL alone, for what works on the data while nothing else runs. */
export async function startDatabase(options: Options): Promise<Pick<Servers, 'databaseUrl' | 'stop'>> {
  const { urls, stop } = await startKinds(options, [postgresql]);
  const [databaseUrl = ''] = urls;
  return { databaseUrl, stop };
}

type Started = { urls: string[]; stop: Servers['stop'] };

async function startKinds(options: Options, kinds: readonly Kind[]): Promise<Started> {
  const { home, log, durable = true, addresses = readAddresses(), signal } = options;
  makeHome(home);
  await stopLeftovers(home, log);
  const wanted = kinds.filter(({ variable }) => !addresses[variable]);
  // The home of servers that need not last does not last either.
  await provide(wanted, { log, signal, logFile: durable ? logFile(home, 'packages') : undefined });
  let opened: Place | undefined;
  const place = () => (opened ??= openPlace(home, log));
  const context = { home, log, supervisor: new Supervisor(home, log), signal };
  const obtain = async (kind: Kind) => {
    const given = addresses[kind.variable];
    if (given !== undefined) await checkAddress(kind, given);
    return given ?? startPrivate(await kind.prepare(place(), durable), context);
  };
  const stop = (graceMs = stopMs) => context.supervisor.stop(graceMs);
  const obtained = kinds.map(obtain);
  try {
    return { urls: await Promise.all(obtained), stop };
  } catch (error) {
    await Promise.allSettled(obtained);
    await stop();
    throw error;
  }
}

/** A given address is only knocked at: whether it can be used, the services say. */
async function checkAddress({ title, variable }: Kind, url: string): Promise<void> {
  const [first = ''] = url.split(',');
  const { hostname, port } = URL.canParse(first) ? new URL(first) : { hostname: '', port: '' };
  if (hostname === '') throw new Refusal(fr`${variable} n’est pas une adresse complète.`);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPorts[variable] };
  if (await answers(address, '', /^/)) return;
  throw new Refusal(fr`${title} ne répond pas à ${hostname}:${address.port}, l’adresse de ${variable}.`);
}

const defaultPorts = { DATABASE_URL: 5432, REDIS_URL: 6379, NATS_URL: 4222 };

/** A port that was free may be taken a moment later; then another one is tried. */
async function startPrivate(
  make: (port: number) => Server,
  { home, log, supervisor, signal }: Context,
): Promise<string> {
  for (let tried = 1; ; tried++) {
    const server = make(await freePort());
    const life = launch(home, server.program);
    const death = new AbortController();
    void life.exited.then(() => death.abort());
    signal?.addEventListener('abort', () => death.abort(), { once: true });
    if (await waitFor(() => server.isReady(), { timeoutMs: recoveryMs, everyMs: 20, signal: death.signal })) {
      supervisor.keep(server.program, {}, life);
      log(fr`${server.program.title} est prêt (privé, port ${new URL(server.url).port}).`);
      return server.url;
    }
    await stopRunning(life, stopMs);
    signal?.throwIfAborted();
    if (tried < portsTried) continue;
    const file = logFile(home, server.program.name);
    const said = lastError(linesSince(file, life.logStart)) ?? '…';
    throw new Refusal(fr`${server.program.title} ne démarre pas : « ${said} » (journal : ${file}).`);
  }
}
