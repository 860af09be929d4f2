import { get } from 'node:http';
import { findSchemas } from '../backup/catalogue';
import { openDatabase } from '../database';
import { Refusal, fr, say } from '../terminal';
import { choosePort, addressOf } from './address';
import type { Settings } from './env';
import { requireFreeHome, lockHome } from './home';
import { ensureKeys } from './keys';
import type { Lifecycle } from './lifecycle';
import { type ServiceContext, migrate, startServices } from './services';
import { startServers } from './servers';
import { Supervisor } from './supervisor';
import { waitFor } from './wait';

export type Product = ServiceContext & { supervisor: Supervisor; address: string };

const readyMs = 120_000;
const servicesStopMs = 8_000;

/** Starts everything in the order of its dependencies, and stops it with `life`. */
export async function startProduct(life: Lifecycle, settings: Settings, build: () => Promise<void>): Promise<Product> {
  const { home, host, addresses } = settings;
  await requireFreeHome(home, say);
  const port = await choosePort(settings);
  const address = addressOf(host, port);
  const unlockHome = lockHome(home, address);
  life.atStop(unlockHome);
  const startingServers = startServers({ home, log: say, addresses, signal: life.signal });
  void startingServers.then(({ stop }) => life.atStop(stop)).catch(() => {});
  const serversWithKeys = startingServers.then(async (running) => {
    await ensureKeys(home, () => holdsVigie(running.databaseUrl));
    return running;
  });
  const [servers] = await life.waitForBoth([serversWithKeys, build()]);

  const context = { settings, port, servers };
  say(fr`Met la base à jour et démarre les services…`);
  const supervisor = new Supervisor(home, say);
  life.atStop((graceMs) => supervisor.stop(Math.min(graceMs, servicesStopMs)));
  // Services wait for their schema themselves, and loading their code takes longest, so both run in parallel.
  await life.waitForBoth([migrate(context), startServices(supervisor, context, { log: say, signal: life.signal })]);
  await waitUntilReady(address, life.signal);
  return { ...context, supervisor, address };
}

async function holdsVigie(databaseUrl: string): Promise<boolean> {
  const client = await openDatabase(databaseUrl);
  try {
    return (await findSchemas(client)).length > 0;
  } finally {
    await client.end();
  }
}

async function waitUntilReady(address: string, signal: AbortSignal): Promise<void> {
  if (await waitFor(() => isReady(address), { timeoutMs: readyMs, signal })) return;
  throw new Refusal(
    fr`Vigie ne répond pas à ${address}/api/health/ready après ${readyMs / 1000} s ; les journaux des services disent pourquoi.`,
  );
}

/** `fetch` would parse the answer by a program in WebAssembly, and compiling it leaves ten megabytes in the starter for good. */
const isReady = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(
      `${address}/api/health/ready`,
      { agent: false, signal: AbortSignal.timeout(5_000) },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    request.on('error', () => resolve(false));
  });
