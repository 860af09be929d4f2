import { setTimeout as wait } from 'node:timers/promises';
import { fr } from '../terminal';
import { type Contender, measure, type Part } from './measure';
import { measureMemory, recordedPids, type Size } from './memory';
import { logIn } from './product';
import { startProgram } from './programs';
import { aim, milliseconds, number, ratioOf, type Report, tableOf, times } from './report';
import { setStage, type Stage } from './stage';
import { sum } from './statistics';
import { type Load, type Measured, runLoad } from './url-loads';
import type { Workbench } from './workbench';

const connections = 32;
const perSecond = 300;
/** A process gives memory back some seconds after it has come to rest, but only once a minute. */
const restMs = 75_000;
const databases = new Set(['postgresql', 'redis', 'nats']);

const legend = fr`
  32 connexions depuis un processus à part ; médiane de rondes alternées ; chaque réponse est un 200.
  Vigie est entière : passerelle → NATS → auth-svc → PostgreSQL, schémas, enveloppe signée, journal, limites, métriques.
  La passerelle garde une session 5 s : une requête coûte la seule lecture de l’utilisateur. Les deux rivaux font de
  même, en un processus, sur le même PostgreSQL, les mêmes lignes et le même jeton, mais sans journal ni limites.
  Fastify nu : pg, ni Nest ni schéma. Nest monolithique : Fastify, garde, TypeORM, réponse vérifiée par zod.`;

const paceLegend = fr`
  Régulières : une requête toutes les 3,3 ms, chronométrée depuis l’instant où elle était due.
  En salves : comme autocannon envoie ce débit, les ${perSecond} de chaque seconde d’un coup sur 32 connexions.`;

const memoryLegend = fr`
  PSS : ce que des processus partagent est divisé entre eux. PostgreSQL compte les siens.`;

const ownProcesses = fr`Vigie sans les serveurs`;
const megabytes = (value: number) => `${number(value)}\u00a0Mo`;

type Pace = { pace: Load['pace']; seconds: number; warmUpSeconds?: number };
type Processes = { product: ReadonlyMap<string, number>; rivals: ReadonlyMap<string, number> };

/** Measures the throughput, the response times and the memory of the product and its rivals on the same rows. */
export const me: Part = async (bench, isQuick) => {
  const [rounds, seconds, paceSeconds, warmUpSeconds] = isQuick ? [1, 2, 3, 1] : [3, 6, 10, 4];
  const { contenders, processes } = await openTargets(bench, await setStage(bench));
  const atPace = (isSalvo: boolean) =>
    measure({
      title: fr`GET /api/auth/me, à ${perSecond} requêtes par seconde, ${isSalvo ? 'en salves' : 'régulières'}`,
      contenders: contenders({ pace: { rate: perSecond, isSalvo }, seconds: paceSeconds }),
      rounds,
      columns: ({ vigie }) => [
        ['p50', ({ p50 }) => milliseconds(p50)],
        ['p99', ({ p99 }) => milliseconds(p99)],
        ['Vigie vaut', ratioOf(vigie, ({ p99 }) => p99)],
      ],
      lines: ({ vigie, monolith }) => [aim(fr`p99, du monolithe`, vigie.p99 / monolith.p99, '≤', 2)],
      ...(isSalvo && { note: paceLegend }),
    });
  return [
    measure({
      title: fr`GET /api/auth/me, à pleine charge`,
      contenders: contenders({ pace: 'full', seconds, warmUpSeconds }),
      rounds,
      columns: ({ vigie }) => [
        ['requêtes/s', (row) => number(row.perSecond)],
        ['Vigie vaut', ratioOf(vigie, (row) => row.perSecond)],
        ['p50', ({ p50 }) => milliseconds(p50)],
        ['p99', ({ p99 }) => milliseconds(p99)],
        ['Vigie vaut', ratioOf(vigie, ({ p99 }) => p99)],
      ],
      lines: ({ vigie, monolith }) => [aim(fr`débit, du monolithe`, vigie.perSecond / monolith.perSecond, '≥', 0.5)],
      note: legend,
    }),
    atPace(false),
    atPace(true),
    measure({
      title: fr`Mémoire au repos, après la charge`,
      contenders: {
        all: { name: fr`tous les processus`, prepare: () => wait(restMs), run: async () => readMemory(processes) },
      },
      reports: ({ all: { sizes } }) => [reportMemory(sizes)],
    }),
  ];
};

async function openTargets(bench: Workbench, { servers, product, homes }: Stage) {
  const env = { DATABASE_URL: servers.databaseUrl };
  const [fastify, monolith] = [await startProgram(bench, 'fastify', env), await startProgram(bench, 'monolith', env)];
  const token = await logIn(product.address);
  const path = '/api/auth/me';
  const urls = [fastify.message, monolith.message, product.address].map((address) => `${String(address)}${path}`);
  const [bare = '', nest = '', own = ''] = urls;
  await checkAnswers(urls, token);
  const contender = (name: string, url: string, { pace, seconds, warmUpSeconds }: Pace): Contender<Measured> => {
    const load = (duration: number) =>
      runLoad(bench, name, { url, payload: { token }, connections, seconds: duration, pace });
    // A warm-up compiles code and fills connection pools.
    return { name, ...(warmUpSeconds && { prepare: () => load(warmUpSeconds) }), run: () => load(seconds) };
  };
  const processes: Processes = {
    product: new Map([['démarreur', product.pid], ...recordedPids(homes.product), ...recordedPids(homes.servers)]),
    rivals: new Map([fastify, monolith].map(({ running }) => [running.program.name, running.process.pid ?? 0])),
  };
  const contenders = (pace: Pace) => ({
    fastify: contender('Fastify nu', bare, pace),
    monolith: contender('Nest monolithique', nest, pace),
    vigie: contender('Vigie', own, pace),
  });
  return { contenders, processes };
}

/** Checks that all targets return the same answer. */
async function checkAnswers(urls: readonly string[], token: string): Promise<void> {
  const answers = await Promise.all(
    urls.map(async (url) => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      return `${answer.status} ${await answer.text()}`;
    }),
  );
  if (new Set(answers).size > 1 || !answers[0]?.startsWith('200 '))
    throw new Error(`the answers differ:\n${answers.join('\n')}`);
}

/** The last of the sizes is the sum of the product's own processes. */
function readMemory({ product, rivals }: Processes): { sizes: Size[] } {
  const sizes = measureMemory(new Map([...product, ...rivals]));
  const own = sizes.filter(({ name }) => product.has(name) && !databases.has(name));
  return { sizes: [...sizes, { name: ownProcesses, megabytes: sum(own.map((size) => size.megabytes)) }] };
}

function reportMemory(sizes: readonly Size[]): Report {
  const title = fr`Mémoire au repos, après la charge`;
  const monolith = sizes.find(({ name }) => name === 'monolith')?.megabytes ?? 0;
  if (monolith === 0)
    return { title, table: [], lines: [fr`Ce système ne dit pas la part de mémoire de chaque processus.`] };
  const table = tableOf(sizes, [
    ['PSS', (size) => megabytes(size.megabytes)],
    ['du monolithe', (size) => times(size.megabytes / monolith)],
  ]);
  return {
    title,
    table,
    lines: [aim(ownProcesses, sizes.at(-1)?.megabytes ?? 0, '≤', 300, megabytes)],
    note: memoryLegend,
  };
}
