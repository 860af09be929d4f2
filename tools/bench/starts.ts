import { join } from 'node:path';
import { startServers } from '../start/servers';
import { fr, seconds } from '../terminal';
import { copyCheckout } from './checkout';
import { startProduct } from './product';
import { startProgram } from './programs';
import { median } from './statistics';
import { aim, printTable, times } from './table';
import type { Workbench } from './workbench';

type StartTimes = { startMs: number; stopMs: number };

const warmAimMs = 15_000;
const stopAimMs = 10_000;

const legend = fr`
  Temps de « node tools/run.mjs start » à la ligne qui donne l’adresse, dans une copie de ce dossier.
  À froid : juste après npm ci ; rien n’est construit, le cache de nx est vide, le dossier d’état est neuf. Les
  binaires des trois serveurs sont là, et le cache de fichiers du système est chaud.
  À chaud : les démarrages suivants, avec la même construction et le même dossier d’état.
  À la main : les trois mêmes serveurs sur les mêmes données, puis le Nest monolithique.
  Arrêt : de SIGTERM à la fin du processus.`;

/** Measures how long the product takes to start and to stop. */
export async function benchStarts(bench: Workbench, isQuick: boolean): Promise<void> {
  const checkout = join(bench.folder, 'checkout');
  const home = join(bench.folder, 'home');
  bench.step(fr`copie ce dossier`);
  copyCheckout(checkout);
  bench.step(fr`démarrage à froid`);
  const cold = await startAndStop(bench, checkout, home);
  const warm: StartTimes[] = [];
  const rounds = isQuick ? 1 : 3;
  for (let n = 0; n < rounds; n++) {
    bench.step(fr`démarrage à chaud, ${n + 1} sur ${rounds}`);
    warm.push(await startAndStop(bench, checkout, home));
  }
  bench.step(fr`démarrage à la main`);
  report(cold, warm, await startByHand(bench, home));
}

async function startAndStop(bench: Workbench, checkout: string, home: string): Promise<StartTimes> {
  bench.signal.throwIfAborted();
  const { startMs, stop } = await startProduct(bench, { checkout, home });
  return { startMs, stopMs: await stop() };
}

/** Starts the same servers on the same data, then the monolith. */
async function startByHand(bench: Workbench, home: string): Promise<StartTimes> {
  const startedAt = performance.now();
  const servers = await startServers({ home, log: () => undefined, addresses: {}, signal: bench.signal });
  bench.atEnd(() => servers.stop());
  const monolith = await startProgram(bench, 'monolith', { DATABASE_URL: servers.databaseUrl });
  const startedUpAt = performance.now();
  await monolith.stop();
  await servers.stop();
  return { startMs: startedUpAt - startedAt, stopMs: performance.now() - startedUpAt };
}

function report(cold: StartTimes, warm: readonly StartTimes[], byHand: StartTimes): void {
  const warmMs = median(warm.map(({ startMs }) => startMs));
  const stopMs = median([cold, ...warm].map((run) => run.stopMs));
  const row = (name: string, value: number, rival: number, verdict = '') => [
    name,
    seconds(value),
    seconds(rival),
    times(value / rival),
    verdict,
  ];
  console.log(`\n${fr`Démarrage et arrêt`}`);
  printTable(
    ['', 'Vigie', 'à la main', 'rapport', ''],
    [
      row('démarrage à froid', cold.startMs, byHand.startMs),
      row('démarrage à chaud', warmMs, byHand.startMs, aim('< 15\u00a0s', warmMs < warmAimMs)),
      row('arrêt', stopMs, byHand.stopMs, aim('< 10\u00a0s', stopMs < stopAimMs)),
    ],
  );
  console.log(legend);
}
