import { cpSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/env';
import { fr, seconds } from '../terminal';
import { measure, type Part } from './measure';
import { startProduct } from './product';
import { startProgram } from './programs';
import { aim, type Column, ratioTo, tableOf } from './report';
import { openServers } from './stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

type StartTimes = { startMs: number; stopMs: number };

const legend = fr`
  Temps de « node tools/run.mjs start » à la ligne qui donne l’adresse, dans une copie de ce dossier.
  À froid : juste après npm ci ; rien n’est construit, le cache de nx est vide, le dossier d’état est neuf. Les
  binaires des trois serveurs sont là, et le cache de fichiers du système est chaud.
  À chaud : les démarrages suivants, avec la même construction et le même dossier d’état.
  À la main : les trois mêmes serveurs sur les mêmes données, puis le Nest monolithique.
  Arrêt : de SIGTERM à la fin du processus, médiane de tous.`;

/** Measures how long the product takes to start and to stop. */
export const start: Part = async (bench, isQuick) => {
  const [checkout, home] = [join(bench.folder, 'checkout'), join(bench.folder, 'home')];
  bench.step(fr`copie ce dossier`);
  copyCheckout(checkout);
  const run = () => startAndStop(bench, checkout, home);
  return [
    measure({
      title: fr`Démarrage`,
      contenders: {
        cold: { name: fr`Vigie, à froid`, run, rounds: 1 },
        warm: { name: fr`Vigie, à chaud`, run },
        byHand: { name: fr`à la main`, run: () => startByHand(bench, home), rounds: 1 },
      },
      rounds: isQuick ? 1 : 3,
      isInSequence: true,
      columns: ({ byHand }) => [
        ['temps', ({ startMs }) => seconds(startMs)],
        ['rapport', ratioTo(byHand, ({ startMs }) => startMs)],
      ],
      lines: ({ warm }) => [aim(fr`à chaud`, warm.startMs, '≤', 5_000, seconds)],
      reports: ({ cold, warm, byHand }) => {
        const stopMs = median([...cold.samples, ...warm.samples].map((sample) => sample.stopMs));
        const columns: Column<{ name: string; stopMs: number }>[] = [
          ['temps', (row) => seconds(row.stopMs)],
          ['rapport', ratioTo<{ stopMs: number }>(byHand, (row) => row.stopMs)],
        ];
        const table = tableOf([{ name: 'Vigie', stopMs }, byHand], columns);
        const lines = [aim(fr`arrêt`, stopMs, '<', 10_000, seconds)];
        return [{ title: fr`Arrêt`, table, lines, note: legend }];
      },
    }),
  ];
};

async function startAndStop(bench: Workbench, checkout: string, home: string): Promise<StartTimes> {
  const { startMs, stop } = await startProduct(bench, { checkout, home });
  return { startMs, stopMs: await stop() };
}

/** Starts the same servers on the same data, then the monolith. */
async function startByHand(bench: Workbench, home: string): Promise<StartTimes> {
  const startedAt = performance.now();
  const servers = await openServers(bench, home);
  const monolith = await startProgram(bench, 'monolith', { DATABASE_URL: servers.databaseUrl });
  const startedUpAt = performance.now();
  await monolith.stop();
  await servers.stop();
  return { startMs: startedUpAt - startedAt, stopMs: performance.now() - startedUpAt };
}

/** A fresh clone contains no builds and no caches. */
const excluded = new Set(['dist', '.nx', '.git', '.vigie', 'test-results']);
const caches = new Set(['.cache', '.vite', '.vite-temp']);

/**
 * Copies this checkout in its state after a clone and `npm ci`. Dependencies are hard links, because nothing writes to
 * them.
 */
function copyCheckout(folder: string): void {
  copyFolder(root, folder, false);
}

function copyFolder(from: string, to: string, isDependency: boolean): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if ((isDependency ? caches : excluded).has(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isDirectory()) copyFolder(source, target, isDependency || name === 'node_modules');
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (isDependency) linkFile(source, target);
    else cpSync(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // Hard links do not work across file systems.
    cpSync(source, target);
  }
}
