import { CountedDatabase } from '@vigie/testing/counted-database';
import type { Sizes } from '@vigie/testing/seed';
import { fr } from '../terminal';
import { requireChromium } from './browser';
import { screenMeasures } from './fleet-browser';
import { endpoints } from './fleet-endpoints';
import { seed } from './fleet-seed';
import { measure, type Measure, type Part } from './measure';
import { logIn } from './product';
import { aim, milliseconds, number, type Report, tableOf, times } from './report';
import { setStage } from './stage';
import { median, percentiles, quantile, sum } from './statistics';
import type { Workbench } from './workbench';

const small: Sizes = { sites: 1_000, servers: 100, plugins: 30, groups: 20 };
/** These sizes are added to the previous fleet. */
const upToHalf: Sizes = { sites: 4_000, servers: 400, plugins: 30, groups: 80 };
const otherHalf: Sizes = { sites: 5_000, servers: 500, plugins: 30, groups: 100 };
const shrink = (sizes: Sizes): Sizes => ({ ...sizes, sites: sizes.sites / 10, servers: sizes.servers / 10 });

const aims = { p95: 150, bytes: 300_000, ratio: 1.5, doubled: 1.2, searchMs: 50 };
const kilobytes = (bytes: number) => `${number(bytes / 1000)}\u00a0ko`;

/** Measures lists, tiles and screens of three fleets of increasing size. */
export const fleet: Part = async (bench, isQuick) => {
  const chromium = requireChromium();
  const relays: CountedDatabase[] = [];
  const { servers, product } = await setStage(bench, async ({ databaseUrl }) => {
    const countedDatabase = await CountedDatabase.to(databaseUrl);
    relays.push(countedDatabase);
    bench.atEnd(() => countedDatabase.stop());
    return { DATABASE_URL: countedDatabase.url };
  });
  const [database] = relays;
  if (!database) throw new Error('the stage has no database');
  const context = { address: product.address, token: await logIn(product.address), database };
  const sizes = [small, upToHalf, otherHalf].map((size) => (isQuick ? shrink(size) : size));
  return [
    lists(bench, context, { databaseUrl: servers.databaseUrl, sizes, runs: isQuick ? 10 : 100 }),
    ...(await screenMeasures(bench, { ...context, chromium, rounds: isQuick ? 1 : 5, signal: bench.signal })),
  ];
};

type Growth = { databaseUrl: string; sizes: readonly Sizes[]; runs: number };
type Answer = { status: number; p50: number; p95: number; p99: number; bytes: number; statements: number };
type Row = { name: string; before: Answer; half: Answer; after: Answer };

/** Each round adds sites before it asks all lists. */
const lists = (bench: Workbench, context: MeasureContext, { databaseUrl, sizes, runs }: Growth): Measure =>
  measure({
    title: fr`liste`,
    contenders: Object.fromEntries(
      endpoints.map(({ name, path }) => [name, { name, run: () => askRepeatedly(context, path, runs) }]),
    ),
    rounds: sizes.length,
    beforeRound: async (round) => {
      const size = sizes[round - 1];
      if (!size) return;
      bench.step(fr`ajoute ${size.sites} sites`);
      await seed(databaseUrl, size);
    },
    summarize: ([before, half, after]) => {
      if (!before || !half || !after) throw new Error('a list was not asked at each size');
      return { before, half, after };
    },
    reports: (results) => {
      const rows = Object.values(results);
      const [first = 0, second = 0, third = 0] = sizes.map((_, index) =>
        sum(sizes.slice(0, index + 1).map((size) => size.sites)),
      );
      return [
        reportLists(rows, fr`${number(first)} puis ${number(third)}`),
        reportDoubling(rows, fr`${number(second)} puis ${number(third)}`),
      ];
    },
  });

function reportLists(rows: readonly Row[], sizes: string): Report {
  const answered = rows.filter(({ after }) => after.status === 200);
  const largest = (figure: (answer: Answer) => number, among = answered) =>
    Math.max(...among.map(({ after }) => figure(after)));
  const growing = answered.filter(({ before, after }) => after.statements > before.statements);
  const palette = answered.filter(({ name }) => name.startsWith('Palette'));
  const ifAnswered = (cell: (row: Row) => string) => (row: Row) => (row.after.status === 200 ? cell(row) : '');
  return {
    title: fr`Listes et tuiles, ${sizes} sites de 30 plugins`,
    table: tableOf(rows, [
      ['p50', ifAnswered(({ before }) => milliseconds(before.p50))],
      ['p95', ifAnswered(({ before }) => milliseconds(before.p95))],
      ['puis p50', ifAnswered(({ after }) => milliseconds(after.p50))],
      ['puis p95', ifAnswered(({ after }) => milliseconds(after.p95))],
      ['rapport', ifAnswered(({ before, after }) => times(after.p50 / before.p50))],
      ['requêtes', ifAnswered(({ before, after }) => `${before.statements} → ${after.statements}`)],
      ['ko', ifAnswered(({ after }) => number(after.bytes / 1000, 1))],
      ['', verdictOf],
    ]),
    lines: [
      aim(
        fr`le p95 le plus long`,
        largest(({ p95 }) => p95),
        '<',
        aims.p95,
        milliseconds,
      ),
      aim(
        fr`la plus grande réponse`,
        largest(({ bytes }) => bytes),
        '<',
        aims.bytes,
        kilobytes,
      ),
      aim(
        fr`la palette`,
        largest(({ p95 }) => p95, palette),
        '<',
        aims.searchMs,
        milliseconds,
      ),
      aim(fr`sans réponse 200`, rows.length - answered.length, '≤', 0, number),
      aim(fr`plus de requêtes quand le parc grandit`, growing.length, '≤', 0, number),
    ],
    note: fr`
  Chaque adresse est demandée une fois après l’autre, à chaud, tout sur la même machine. Le rapport est celui des deux
  p50, visé à ${number(aims.ratio, 1)} au plus. Un relais compte les requêtes à PostgreSQL ; son temps est compris.`,
  };
}

function verdictOf({ before, after }: Row): string {
  if (after.status !== 200) return `répond ${after.status}`;
  const missed = [
    ...(after.p95 < aims.p95 ? [] : ['p95']),
    ...(after.bytes < aims.bytes ? [] : ['taille']),
    ...(after.statements <= before.statements ? [] : ['requêtes']),
    ...(after.p50 / before.p50 <= aims.ratio ? [] : ['rapport']),
  ];
  return missed.length === 0 ? 'tenu' : fr`manqué : ${missed.join(', ')}`;
}

function reportDoubling(rows: readonly Row[], sizes: string): Report {
  const answered = rows.filter(({ after }) => after.status === 200);
  const growth = ({ half, after }: Row) => after.p99 / half.p99;
  return {
    title: fr`Le parc double, ${sizes} sites`,
    table: tableOf(answered, [
      ['p99', ({ half }) => milliseconds(half.p99)],
      ['puis p99', ({ after }) => milliseconds(after.p99)],
      ['rapport', (row) => times(growth(row))],
    ]),
    lines: [aim(fr`rapport médian des p99`, median(answered.map(growth)), '≤', aims.doubled, times)],
  };
}

type MeasureContext = { address: string; token: string; database: CountedDatabase };

/**
 * Sends the requests one after the other. The smallest count of statements is the right one, because timers of
 * services also query the database.
 */
async function askRepeatedly(
  { address, token, database }: MeasureContext,
  path: string,
  runs: number,
): Promise<Answer> {
  const durations: number[] = [];
  let [status, bytes, statements] = [0, 0, Number.POSITIVE_INFINITY];
  const warmUp = 5;
  for (let run = -warmUp; run < runs; run++) {
    const [startedAt, before] = [performance.now(), database.statements];
    const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (run >= 0) durations.push(performance.now() - startedAt);
    status = answer.status;
    bytes = Buffer.byteLength(text);
    statements = Math.min(statements, database.statements - before);
    if (status !== 200) break;
  }
  return { status, bytes, statements, p95: quantile(durations, 0.95), ...percentiles(durations) };
}
