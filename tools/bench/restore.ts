import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { runOperation } from '@vigie/testing/operations';
import { RestoreReader, restoreTask } from '@vigie/wordpress/restore';
import { fr } from '../terminal';
import { loginOf, pack, type Packed, setStage, sizesOf, type Stage, tarAndDump, timed } from './backup-stage';
import { median } from './statistics';
import { aim, number, printTable } from './table';
import type { Workbench } from './workbench';

const mostRestore = 1.5;

/** An archive put back, whole and by an exchange, against what people do who have a tar and a dump. */
export async function benchRestore(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = sizesOf(isQuick);
  const stage = await setStage(bench, sizes);
  bench.step(fr`prépare les archives`);
  const packed = await pack(stage);
  const { tar, dump } = await tarAndDump(stage);
  const [own, untars, loads]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    bench.step(fr`tour ${round + 1} sur ${sizes.rounds}, tar et mariadb`);
    const rival = await untarAndLoad(stage, tar, dump);
    untars.push(rival.tarMs);
    loads.push(rival.loadMs);
    bench.step(fr`tour ${round + 1} sur ${sizes.rounds}, Vigie restaure`);
    own.push(await restore(stage, packed));
  }
  report({ bytes: packed.size, ownMs: median(own), tarMs: median(untars), loadMs: median(loads) });
}

async function untarAndLoad(stage: Stage, tar: string, dump: string) {
  const { fleet, site, scratch } = stage;
  const { as, login } = loginOf(stage);
  const folder = join(scratch, 'untarred');
  mkdirSync(folder);
  chownSync(folder, deploy.uid, deploy.gid);
  const database = `${site.database}_copie`;
  await fleet.query(site, `create database ${database}; grant all on ${database}.* to '${site.database}'@'%'`);
  const { ms: tarMs } = await timed(() => run('tar', ['xf', tar, '-C', folder], { as }));
  const loading = ['-c', 'exec "$@" <"$0"', dump, 'mariadb', ...login, database];
  const { ms: loadMs } = await timed(() => run('sh', loading, { as }));
  await fleet.query(site, `drop database ${database}`);
  rmSync(folder, { recursive: true });
  return { tarMs, loadMs };
}

/** Without its safety backup: that is another figure. */
async function restore({ site, connection }: Stage, { name }: Packed): Promise<number> {
  const operation = randomUUID();
  const what = { mode: 'merge', scope: 'all', path: '' } as const;
  const order = { operation, site, php: '/usr/bin/php', name, safety: null, ...what };
  const { ms, done } = await timed(() =>
    runOperation(connection, operation, { ...restoreTask(order), lock: site.path }),
  );
  const reader = new RestoreReader();
  for (const line of done.lines) reader.hear(line);
  if (reader.end?.is !== 'done') throw new Error(`nothing was restored: ${JSON.stringify(reader.end)} ${done.printed}`);
  return ms;
}

function report({ bytes, ownMs, tarMs, loadMs }: Record<'bytes' | 'ownMs' | 'tarMs' | 'loadMs', number>): void {
  const rival = tarMs + loadMs;
  const seconds = (ms: number) => `${number(ms / 1000, 2)} s`;
  console.log(`\n${fr`Une archive de ${number(bytes / 1_048_576)} Mo restaurée`}`);
  printTable(
    ['', 'temps', 'rapport'],
    [
      ['tar x + mariadb', seconds(rival), number(1, 2)],
      ['Vigie, la restauration entière', seconds(ownMs), number(ownMs / rival, 2)],
    ],
  );
  console.log(fr`
  Restauration : ${aim(`≤ ${number(mostRestore, 1)}`, ownMs / rival <= mostRestore)} (tar ${seconds(tarMs)}, mariadb ${seconds(loadMs)}).

  Vigie lit d’abord toute l’archive, la prépare à côté du site, l’échange d’un coup et démarre WordPress ; sans sa sauvegarde
  de sécurité. tar et mariadb chargent un tar et un dump étendu du même site dans un dossier et une base vides.`);
}
