import { type Load, type Measured, requireClean, runLoad, medianFigures } from './url-loads';
import { recordedPids } from './memory';
import { logIn } from './product';
import { startProgram } from './programs';
import { fr } from '../terminal';
import { type Target, rate, reportMe } from './me-report';
import { setStage } from './stage';
import type { Workbench } from './workbench';

const connections = 32;

/** Measures the throughput and response times of the product and its rivals on the same rows. */
export async function benchMe(bench: Workbench, isQuick: boolean): Promise<void> {
  const { servers, product, homes } = await setStage(bench, 'me');
  const rivalEnv = { DATABASE_URL: servers.databaseUrl };
  const [fastify, monolith] = [
    await startProgram(bench, 'fastify', rivalEnv),
    await startProgram(bench, 'monolith', rivalEnv),
  ];
  const targets: Target[] = [
    { name: 'Fastify nu', url: `${String(fastify.message)}/api/auth/me` },
    { name: 'Nest monolithique', url: `${String(monolith.message)}/api/auth/me` },
    { name: 'Vigie', url: `${product.address}/api/auth/me` },
  ];
  const token = await logIn(product.address);
  await checkAnswers(targets, token);
  const figures = await measureAll(bench, targets, { token, isQuick });
  const rivals = new Map([fastify, monolith].map(({ running }) => [running.program.name, running.process.pid ?? 0]));
  const productPids = new Map([
    ['démarreur', product.pid],
    ...recordedPids(homes.product),
    ...recordedPids(homes.servers),
  ]);
  reportMe(targets, { ...figures, processes: { product: productPids, rivals } });
  for (const { stop } of [fastify, monolith, product, servers]) await stop();
}

/** Checks that all targets return the same answer. */
async function checkAnswers(targets: readonly Target[], token: string): Promise<void> {
  const answers = await Promise.all(
    targets.map(async ({ url }) => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      return `${answer.status} ${await answer.text()}`;
    }),
  );
  if (new Set(answers).size > 1 || !answers[0]?.startsWith('200 '))
    throw new Error(`the answers differ:\n${answers.join('\n')}`);
}

type LoadOptions = { token: string; isQuick: boolean };

async function measureAll(bench: Workbench, targets: readonly Target[], { token, isQuick }: LoadOptions) {
  const [rounds, seconds, rateSeconds] = isQuick ? [1, 2, 3] : [3, 6, 10];
  const load = (url: string, pace: Load['pace'], duration: number) =>
    runLoad(bench, { url, payload: { token }, connections, seconds: duration, pace });
  const measureTargets = async (title: string, pace: Load['pace'], duration: number) => {
    bench.step(title);
    const measured: Measured[] = [];
    for (const { name, url } of targets) measured.push(requireClean(name, await load(url, pace, duration)));
    return measured;
  };
  bench.step(fr`met en température`);
  // The warm-up compiles code and fills connection pools.
  for (const { url } of targets) await load(url, 'full', isQuick ? 1 : 4);
  const full: Measured[][] = [];
  for (let round = 0; round < rounds; round++) {
    full.push(await measureTargets(fr`à pleine charge, tour ${round + 1} sur ${rounds}`, 'full', seconds));
  }
  return {
    full: targets.map((_, index) => medianFigures(full.flatMap((round) => round[index] ?? []))),
    even: await measureTargets(fr`à débit régulier`, { rate, isSalvo: false }, rateSeconds),
    salvo: await measureTargets(fr`à débit en salves`, { rate, isSalvo: true }, rateSeconds),
  };
}
