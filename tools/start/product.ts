import { schemasThere } from '../backup/catalogue';
import { openDatabase } from '../database';
import { Refusal, fr, say } from '../terminal';
import { choosePort, addressOf } from './address';
import type { Settings } from './env';
import { clearHome, takeHome } from './home';
import { ensureKeys } from './keys';
import type { Lifecycle } from './lifecycle';
import { type Surroundings, migrate, startServices } from './services';
import { startServers } from './servers';
import { Supervisor } from './supervisor';
import { waitFor } from './wait';

export type Product = Surroundings & { supervisor: Supervisor; address: string };

const readyMs = 120_000;
const servicesStopMs = 8_000;

/** Brings up everything, in the order in which one thing needs another, and stops it with `life`. */
export async function startProduct(life: Lifecycle, settings: Settings, build: () => Promise<void>): Promise<Product> {
  const { home, host, addresses } = settings;
  await clearHome(home, say);
  const port = await choosePort(settings);
  const address = addressOf(host, port);
  const leave = takeHome(home, address);
  life.atStop(leave);
  const serversUp = startServers({ home, log: say, addresses, signal: life.signal });
  void serversUp.then(({ stop }) => life.atStop(stop)).catch(() => {});
  const keyed = serversUp.then(async (up) => {
    await ensureKeys(home, () => holdsVigie(up.databaseUrl));
    return up;
  });
  const [servers] = await life.together([keyed, build()]);

  const surroundings = { settings, port, servers };
  say(fr`Met la base à jour et démarre les services…`);
  const supervisor = new Supervisor(home, say);
  life.atStop((graceMs) => supervisor.stop(Math.min(graceMs, servicesStopMs)));
  // A service waits for its schema, and most of a start is spent loading code: neither need wait for the other.
  await life.together([
    migrate(surroundings),
    startServices(supervisor, surroundings, { log: say, signal: life.signal }),
  ]);
  await waitUntilReady(address, life.signal);
  return { ...surroundings, supervisor, address };
}

async function holdsVigie(databaseUrl: string): Promise<boolean> {
  const client = await openDatabase(databaseUrl);
  try {
    return (await schemasThere(client)).length > 0;
  } finally {
    await client.end();
  }
}

async function waitUntilReady(address: string, signal: AbortSignal): Promise<void> {
  const isReady = async () => {
    const answer = await fetch(`${address}/api/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    return answer?.status === 200;
  };
  if (await waitFor(isReady, { timeoutMs: readyMs, signal })) return;
  throw new Refusal(
    fr`Vigie ne répond pas à ${address}/api/health/ready après ${readyMs / 1000} s ; les journaux des services disent pourquoi.`,
  );
}
