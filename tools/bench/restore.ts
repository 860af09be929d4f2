import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { runOperation } from '@vigie/testing/operations';
import { RestoreReader, restoreTask } from '@vigie/wordpress/restore';
import { fr } from '../terminal';
import {
  type Backup,
  benchSizes,
  createBackup,
  databaseLogin,
  setStage,
  type Stage,
  summarizeWork,
  tarAndDump,
  type Work,
} from './backup-stage';
import { measure, type Part, timed } from './measure';
import { aim, megabytes, preciseSeconds, ratioTo } from './report';

const longRow = 10_485_760;
/** Memory of PHP beyond its start: 32 MiB and twice the longest row. */
const maxMemory = 33_554_432 + 2 * longRow;

const legend = fr`
  Vigie lit d’abord toute l’archive, la prépare à côté du site, l’échange d’un coup et démarre WordPress.
  tar et mariadb chargent un tar et un dump étendu du même site dans un dossier et une base vides.
  Mémoire visée : 32 Mo et deux fois la plus longue ligne, de ${megabytes(longRow)}.`;

/** Measures a complete restore, compared with tar and mariadb. */
export const restore: Part = async (bench, isQuick) => {
  const sizes = benchSizes(isQuick);
  const stage = await setStage(bench, sizes);
  await addLongRow(stage);
  bench.step(fr`prépare les archives`);
  const archive = await createBackup(stage);
  const { tar, dump } = await tarAndDump(stage);
  return [
    measure({
      title: fr`Une archive de ${megabytes(archive.size)} restaurée`,
      contenders: {
        rival: { name: 'tar x + mariadb', run: () => untarAndLoad(stage, tar, dump) },
        vigie: { name: fr`Vigie, la restauration`, run: () => restoreArchive(stage, archive) },
        whole: { name: fr`Vigie, avec sa sauvegarde de sécurité`, run: () => restoreArchive(stage, archive, true) },
      },
      rounds: sizes.rounds,
      summarize: summarizeWork,
      columns: ({ rival }) => [
        ['temps', ({ ms }) => preciseSeconds(ms)],
        ['rapport', ratioTo(rival, ({ ms }) => ms)],
      ],
      lines: ({ rival, vigie, whole }) => {
        const memory = Math.max(...vigie.samples.map((sample) => sample.memory ?? 0));
        return [
          fr`tar ${preciseSeconds(rival.filesMs)}, mariadb ${preciseSeconds(rival.databaseMs)}`,
          aim(fr`restauration`, vigie.ms / rival.ms, '≤', 1.2),
          aim(fr`avec sa sauvegarde de sécurité`, whole.ms / rival.ms, '≤', 2),
          aim(fr`mémoire de PHP, au-delà de son démarrage`, memory, '≤', maxMemory, megabytes),
        ];
      },
      note: legend,
    }),
  ];
};

/** The longest row determines the memory use. */
async function addLongRow({ fleet, site }: Stage): Promise<void> {
  await fleet.query(
    site,
    `insert into wp_options (option_name, option_value, autoload) values ('bench_long', repeat('ligne', ${longRow / 5}), 'no')`,
  );
}

async function untarAndLoad(stage: Stage, tar: string, dump: string): Promise<Work> {
  const { fleet, site, scratch } = stage;
  const { as, login } = databaseLogin(stage);
  const folder = join(scratch, 'untarred');
  mkdirSync(folder);
  chownSync(folder, deploy.uid, deploy.gid);
  const database = `${site.database}_copie`;
  await fleet.query(site, `create database ${database}; grant all on ${database}.* to '${site.database}'@'%'`);
  const { ms: filesMs } = await timed(() => run('tar', ['xf', tar, '-C', folder], { as }));
  const loadArguments = ['-c', 'exec "$@" <"$0"', dump, 'mariadb', ...login, database];
  const { ms: databaseMs } = await timed(() => run('sh', loadArguments, { as }));
  await fleet.query(site, `drop database ${database}`);
  rmSync(folder, { recursive: true });
  return { ms: filesMs + databaseMs, filesMs, databaseMs };
}

async function restoreArchive({ site, connection, folder }: Stage, { name }: Backup, isSafe = false): Promise<Work> {
  const operation = randomUUID();
  const safety = isSafe ? `${operation}.wpress` : null;
  const options = { mode: 'merge', scope: 'all', path: '' } as const;
  const order = { operation, site, php: '/usr/bin/php', name, safety, ...options };
  const { ms, done } = await timed(() =>
    runOperation(connection, operation, { ...restoreTask(order), lock: site.path }),
  );
  const reader = new RestoreReader();
  for (const line of done.lines) reader.readLine(line);
  if (reader.end?.is !== 'done') throw new Error(`the restore failed: ${JSON.stringify(reader.end)} ${done.printed}`);
  if (safety) rmSync(join(folder, safety));
  return { ms, memory: reader.memory ?? 0 };
}
