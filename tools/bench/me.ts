import { type Load, type Measured, checked, loadWith, medianOf } from './url-loads';
import { notedIn } from './memory';
import { logIn } from './product';
import { startProgram } from './programs';
import { fr } from '../terminal';
import { type Target, rate, reportMe } from './me-report';
import { setStage } from './stage';
import type { Workbench } from './workbench';

const connections = 32;

/** Requests a second and times of the product and its rivals, on the same rows, in turns. */
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
  const own = new Map([['démarreur', product.pid], ...notedIn(homes.product), ...notedIn(homes.servers)]);
  reportMe(targets, { ...figures, processes: { product: own, rivals } });
  for (const { stop } of [fastify, monolith, product, servers]) await stop();
}

/** They must say the same before it counts who says it faster. */
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

type Way = { token: string; isQuick: boolean };

async function measureAll(bench: Workbench, targets: readonly Target[], { token, isQuick }: Way) {
  const [rounds, seconds, rateSeconds] = isQuick ? [1, 2, 3] : [3, 6, 10];
  const load = (url: string, pace: Load['pace'], duration: number) =>
    loadWith(bench, { url, sent: { token }, connections, seconds: duration, pace });
  const inTurn = async (title: string, pace: Load['pace'], duration: number) => {
    bench.step(title);
    const measured: Measured[] = [];
    for (const { name, url } of targets) measured.push(checked(name, await load(url, pace, duration)));
    return measured;
  };
  bench.step(fr`met en température`);
  // A warm-up: code is compiled, pools are filled.
  for (const { url } of targets) await load(url, 'full', isQuick ? 1 : 4);
  const full: Measured[][] = [];
  for (let round = 0; round < rounds; round++) {
    full.push(await inTurn(fr`à pleine charge, tour ${round + 1} sur ${rounds}`, 'full', seconds));
  }
  return {
    full: targets.map((_, index) => medianOf(full.flatMap((round) => round[index] ?? []))),
    even: await inTurn(fr`à débit régulier`, { rate, isSalvo: false }, rateSeconds),
    salvo: await inTurn(fr`à débit en salves`, { rate, isSalvo: true }, rateSeconds),
  };
}
