import { CountedDatabase } from '@vigie/testing/counted-database';
import type { Sizes } from '@vigie/testing/seed';
import { Refusal, fr } from '../terminal';
import { findChromium } from '../test/chromium';
import { lookAtScreens } from './fleet-browser';
import { endpoints } from './fleet-endpoints';
import { type Measured, reportDoubling, reportEndpoints, reportScreens } from './fleet-report';
import { seed } from './fleet-seed';
import { logIn } from './product';
import { setStage } from './stage';
import { quantile } from './statistics';
import type { Workbench } from './workbench';

const small: Sizes = { sites: 1_000, servers: 100, plugins: 30, groups: 20 };
/** What makes half of the large one of it, and what makes all of it. */
const upToHalf: Sizes = { sites: 4_000, servers: 400, plugins: 30, groups: 80 };
const otherHalf: Sizes = { sites: 5_000, servers: 500, plugins: 30, groups: 100 };
const quickly = (sizes: Sizes): Sizes => ({ ...sizes, sites: sizes.sites / 10, servers: sizes.servers / 10 });

/** The lists, tiles and screens of a fleet, of one ten times as large, and of what lies between. */
export async function benchFleet(bench: Workbench, isQuick: boolean): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined)
    throw new Refusal(fr`Les écrans se mesurent dans Chromium : installez le paquet chromium.`);
  const relays: CountedDatabase[] = [];
  const { servers, product } = await setStage(bench, 'fleet', async ({ databaseUrl }) => {
    const relay = await CountedDatabase.to(databaseUrl);
    relays.push(relay);
    bench.atEnd(() => relay.stop());
    return { DATABASE_URL: relay.url };
  });
  const [counted] = relays;
  if (!counted) throw new Error('the stage has no database');
  const asking: Asking = { address: product.address, token: await logIn(product.address), counted };
  const runs = isQuick ? 10 : 100;
  const measured: Measured[][] = [];
  for (const sizes of [small, upToHalf, otherHalf]) {
    bench.step(fr`ajoute ${(isQuick ? quickly(sizes) : sizes).sites} sites`);
    await seed(servers.databaseUrl, isQuick ? quickly(sizes) : sizes);
    measured.push(await measureAll(bench, asking, runs));
  }
  const [before = [], half = [], after = []] = measured;
  reportEndpoints(before, after, isQuick);
  reportDoubling(half, after, isQuick);
  reportScreens(await lookAtScreens(bench, { ...asking, chromium, rounds: isQuick ? 1 : 5, signal: bench.signal }));
  await product.stop();
  await servers.stop();
}

type Asking = { address: string; token: string; counted: CountedDatabase };

async function measureAll(bench: Workbench, asking: Asking, runs: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, path } of endpoints) {
    bench.signal.throwIfAborted();
    bench.step(fr`liste : ${name}`);
    measured.push({ name, ...(await measure(asking, path, runs)) });
  }
  return measured;
}

/** One after the other. A timer of a service asks something now and then: the fewest statements are the list's own. */
async function measure(
  { address, token, counted }: Asking,
  path: string,
  runs: number,
): Promise<Omit<Measured, 'name'>> {
  const times: number[] = [];
  let [status, bytes, statements] = [0, 0, Number.POSITIVE_INFINITY];
  const warmUp = 5;
  for (let run = -warmUp; run < runs; run++) {
    const [since, before] = [performance.now(), counted.statements];
    const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (run >= 0) times.push(performance.now() - since);
    status = answer.status;
    bytes = Buffer.byteLength(text);
    statements = Math.min(statements, counted.statements - before);
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
