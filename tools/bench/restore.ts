import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { runOperation } from '@vigie/testing/operations';
import { RestoreReader, restoreTask } from '@vigie/wordpress/restore';
import { fr } from '../terminal';
import {
  databaseLogin,
  createBackup,
  type Backup,
  setStage,
  benchSizes,
  type Stage,
  tarAndDump,
  timed,
} from './backup-stage';
import { median } from './statistics';
import { aim, number, printTable } from './table';
import type { Workbench } from './workbench';

const maxRestore = 1.5;
const longRow = 10_485_760;
const maxMemory = 33_554_432;

/** Measures a complete restore, compared with tar and mariadb. */
export async function benchRestore(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = benchSizes(isQuick);
  const stage = await setStage(bench, sizes);
  const row = await addLongRow(stage);
  bench.step(fr`prépare les archives`);
  const archive = await createBackup(stage);
  const { tar, dump } = await tarAndDump(stage);
  let max = 0;
  const [own, untars, loads]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    bench.step(fr`tour ${round + 1} sur ${sizes.rounds}, tar et mariadb`);
    const rival = await untarAndLoad(stage, tar, dump);
    untars.push(rival.tarMs);
    loads.push(rival.loadMs);
    bench.step(fr`tour ${round + 1} sur ${sizes.rounds}, Vigie restaure`);
    const { ms, memory } = await restore(stage, archive);
    own.push(ms);
    max = Math.max(max, memory);
  }
  report({ bytes: archive.size, ownMs: median(own), tarMs: median(untars), loadMs: median(loads), memory: max, row });
}

/** The longest row determines the memory use. */
async function addLongRow({ fleet, site }: Stage): Promise<number> {
  await fleet.query(
    site,
    `insert into wp_options (option_name, option_value, autoload) values ('bench_long', repeat('ligne', ${longRow / 5}), 'no')`,
  );
  return longRow;
}

async function untarAndLoad(stage: Stage, tar: string, dump: string) {
  const { fleet, site, scratch } = stage;
  const { as, login } = databaseLogin(stage);
  const folder = join(scratch, 'untarred');
  mkdirSync(folder);
  chownSync(folder, deploy.uid, deploy.gid);
  const database = `${site.database}_copie`;
  await fleet.query(site, `create database ${database}; grant all on ${database}.* to '${site.database}'@'%'`);
  const { ms: tarMs } = await timed(() => run('tar', ['xf', tar, '-C', folder], { as }));
  const loadArguments = ['-c', 'exec "$@" <"$0"', dump, 'mariadb', ...login, database];
  const { ms: loadMs } = await timed(() => run('sh', loadArguments, { as }));
  await fleet.query(site, `drop database ${database}`);
  rmSync(folder, { recursive: true });
  return { tarMs, loadMs };
}

async function restore({ site, connection }: Stage, { name }: Backup) {
  const operation = randomUUID();
  const options = { mode: 'merge', scope: 'all', path: '' } as const;
  const order = { operation, site, php: '/usr/bin/php', name, safety: null, ...options };
  const { ms, done } = await timed(() =>
    runOperation(connection, operation, { ...restoreTask(order), lock: site.path }),
  );
  const reader = new RestoreReader();
  for (const line of done.lines) reader.readLine(line);
  if (reader.end?.is !== 'done') throw new Error(`the restore failed: ${JSON.stringify(reader.end)} ${done.printed}`);
  return { ms, memory: reader.memory ?? 0 };
}

type Measured = Record<'bytes' | 'ownMs' | 'tarMs' | 'loadMs' | 'memory' | 'row', number>;

function report({ bytes, ownMs, tarMs, loadMs, memory, row }: Measured): void {
  const max = maxMemory + 2 * row;
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
  Restauration : ${aim(`≤ ${number(maxRestore, 1)}`, ownMs / rival <= maxRestore)} (tar ${seconds(tarMs)}, mariadb ${seconds(loadMs)}).

  Mémoire de PHP, au-delà de son démarrage : ${number(memory / 1_048_576)} Mo, ${aim(`≤ ${number(max / 1_048_576)} Mo`, memory <= max)} (32 Mo et deux fois la plus longue ligne, de ${number(row / 1_048_576)} Mo).

  Vigie lit d’abord toute l’archive, la prépare à côté du site, l’échange d’un coup et démarre WordPress ; sans sa sauvegarde
  de sécurité. tar et mariadb chargent un tar et un dump étendu du même site dans un dossier et une base vides.`);
}
