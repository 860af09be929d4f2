import { CountedDatabase } from '@vigie/testing/counted-database';
import type { Sizes } from '@vigie/testing/seed';
import { fr } from '../terminal';
import { requireChromium } from './browser';
import { measureScreens } from './fleet-browser';
import { endpoints } from './fleet-endpoints';
import { type Measured, reportDoubling, reportEndpoints, reportScreens } from './fleet-report';
import { seed } from './fleet-seed';
import { logIn } from './product';
import { setStage } from './stage';
import { quantile } from './statistics';
import type { Workbench } from './workbench';

const small: Sizes = { sites: 1_000, servers: 100, plugins: 30, groups: 20 };
/** These sizes are added to the previous fleet. */
const upToHalf: Sizes = { sites: 4_000, servers: 400, plugins: 30, groups: 80 };
const otherHalf: Sizes = { sites: 5_000, servers: 500, plugins: 30, groups: 100 };
const shrink = (sizes: Sizes): Sizes => ({ ...sizes, sites: sizes.sites / 10, servers: sizes.servers / 10 });

/** Measures lists, tiles and screens of three fleets of increasing size. */
export async function benchFleet(bench: Workbench, isQuick: boolean): Promise<void> {
  const chromium = requireChromium();
  const relays: CountedDatabase[] = [];
  const { servers, product } = await setStage(bench, 'fleet', async ({ databaseUrl }) => {
    const countedDatabase = await CountedDatabase.to(databaseUrl);
    relays.push(countedDatabase);
    bench.atEnd(() => countedDatabase.stop());
    return { DATABASE_URL: countedDatabase.url };
  });
  const [database] = relays;
  if (!database) throw new Error('the stage has no database');
  const context: MeasureContext = { address: product.address, token: await logIn(product.address), database };
  const runs = isQuick ? 10 : 100;
  const measured: Measured[][] = [];
  for (const sizes of [small, upToHalf, otherHalf]) {
    bench.step(fr`ajoute ${(isQuick ? shrink(sizes) : sizes).sites} sites`);
    await seed(servers.databaseUrl, isQuick ? shrink(sizes) : sizes);
    measured.push(await measureAll(bench, context, runs));
  }
  const [before = [], half = [], after = []] = measured;
  reportEndpoints(before, after, isQuick);
  reportDoubling(half, after, isQuick);
  reportScreens(await measureScreens(bench, { ...context, chromium, rounds: isQuick ? 1 : 5, signal: bench.signal }));
  await product.stop();
  await servers.stop();
}

type MeasureContext = { address: string; token: string; database: CountedDatabase };

async function measureAll(bench: Workbench, context: MeasureContext, runs: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, path } of endpoints) {
    bench.signal.throwIfAborted();
    bench.step(fr`liste : ${name}`);
    measured.push({ name, ...(await measure(context, path, runs)) });
  }
  return measured;
}

/**
 * Sends the requests one after the other. The smallest count of statements is the right one, because timers of
 * services also query the database.
 */
async function measure(
  { address, token, database }: MeasureContext,
  path: string,
  runs: number,
): Promise<Omit<Measured, 'name'>> {
  const times: number[] = [];
  let [status, bytes, statements] = [0, 0, Number.POSITIVE_INFINITY];
  const warmUp = 5;
  for (let run = -warmUp; run < runs; run++) {
    const [startedAt, before] = [performance.now(), database.statements];
    const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (run >= 0) times.push(performance.now() - startedAt);
    status = answer.status;
    bytes = Buffer.byteLength(text);
    statements = Math.min(statements, database.statements - before);
    if (status !== 200) break;
  }
  return {
    status,
    bytes,
    statements,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}
