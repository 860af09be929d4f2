import { randomFillSync, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Connection } from '@vigie/ssh/connection';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { runOperation } from '@vigie/testing/operations';
import { backupsOf } from '@vigie/testing/packs';
import { PackReader, packTask } from '@vigie/wordpress/pack';
import { fr } from '../terminal';
import { timed } from './measure';
import { ensureSshPrograms } from './ssh-stage';
import { median } from './statistics';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
const fullSizes = { files: 20_000, bytes: 800 * mebibyte, rows: 190_000, rounds: 3 };
const quickSizes = { files: 1_000, bytes: 40 * mebibyte, rows: 10_000, rounds: 1 };
type Sizes = typeof fullSizes;
export const benchSizes = (isQuick: boolean): Sizes => (isQuick ? quickSizes : fullSizes);

export type Stage = { fleet: Fleet; site: FleetSite; connection: Connection; folder: string; scratch: string };

export async function setStage(bench: Workbench, sizes: Sizes): Promise<Stage> {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, 1);
  const { port, privateKey } = fleet.host;
  const target = { host: '127.0.0.1', port, user: deploy.name, hostKey: null, mayConnect: () => true };
  const connection = await connect({ ...target, auth: { privateKey } });
  bench.atEnd(() => connection.close());
  const site = fleet.site('plain');
  bench.step(fr`remplit le site de ${sizes.files} fichiers et de ${sizes.rows} lignes`);
  await fillSite(fleet, site, sizes);
  const scratch = join(fleet.host.homeOf(deploy.name), 'scratch');
  mkdirSync(scratch);
  chownSync(scratch, deploy.uid, deploy.gid);
  return { fleet, site, connection, folder: backupsOf(contentOf(site)), scratch };
}

/** Most files of a site are small. Most of its bytes are pictures, which cannot be compressed. */
async function fillSite(fleet: Fleet, site: FleetSite, { files, bytes, rows }: Sizes): Promise<void> {
  const uploads = join(contentOf(site), 'uploads/bench');
  const noise = randomFillSync(Buffer.alloc(4 * mebibyte));
  const large = Math.ceil(files / 100);
  const small = 12_000;
  for (let n = 0; n < files; n += 1) {
    const folder = join(uploads, String(n % 100));
    if (n < 100) mkdirSync(folder, { recursive: true });
    const size = n < large ? Math.floor((bytes - files * small) / large) : small;
    const from = (n * 7_919) % (noise.length - small);
    const parts = Array.from({ length: Math.ceil(size / noise.length) }, () => noise);
    writeFileSync(
      join(folder, `${n}.jpg`),
      size <= small ? noise.subarray(from, from + size) : Buffer.concat(parts, size),
    );
  }
  await run('chown', ['-R', `${deploy.uid}:${deploy.gid}`, uploads]);
  const text = "concat('<p>', repeat(concat(md5(seq), ' l’été \\n'), 22), '</p>')";
  await fleet.query(
    site,
    `insert into ${site.prefix}posts (post_title, post_content, post_name) select concat('Page ', seq), ${text}, concat('page-', seq) from seq_1_to_${rows}`,
  );
}

/** Reads the database login of a site, as an administrator does it manually. */
export function databaseLogin({ site }: Stage): { as: typeof deploy; login: string[] } {
  const config = readFileSync(join(site.path, 'wp-config.php'), 'utf8');
  const valueOf = (name: string) => new RegExp(`'${name}', *'([^']*)'`).exec(config)?.[1] ?? '';
  const [host = '', port = '3306'] = valueOf('DB_HOST').split(':');
  const login = ['--no-defaults', `--host=${host}`, `--port=${port}`, `--user=${valueOf('DB_USER')}`];
  return { as: deploy, login: [...login, `--password=${valueOf('DB_PASSWORD')}`] };
}

/** The usual tools take two steps, and say the time of each. */
export type Work = { ms: number; filesMs?: number; databaseMs?: number; packMs?: number; memory?: number };

/** Adds the medians of the two steps, as they are also said one by one. */
export function summarizeWork(samples: readonly Work[]): Required<Omit<Work, 'memory'>> {
  const filesMs = median(samples.map((sample) => sample.filesMs ?? 0));
  const databaseMs = median(samples.map((sample) => sample.databaseMs ?? 0));
  const packMs = median(samples.map((sample) => sample.packMs ?? 0));
  return { filesMs, databaseMs, packMs, ms: filesMs + databaseMs || median(samples.map(({ ms }) => ms)) };
}

type Dumped = Work & { dumpBytes: number; tar: string; dump: string };

export async function tarAndDump(stage: Stage): Promise<Dumped> {
  const { site, scratch } = stage;
  const { as, login } = databaseLogin(stage);
  const [tar, dump] = [join(scratch, 'site.tar'), join(scratch, 'site.sql')];
  for (const file of [tar, dump]) rmSync(file, { force: true });
  const dumpCommand = ['mariadb-dump', ...login, '--single-transaction', site.database];
  const { ms: databaseMs } = await timed(() => run('sh', ['-c', 'exec "$@" >"$0"', dump, ...dumpCommand], { as }));
  const tarArguments = ['cf', tar, '--exclude=ai1wm-backups', '-C', contentOf(site), '.'];
  const { ms: filesMs } = await timed(() => run('tar', tarArguments, { as }));
  return { ms: filesMs + databaseMs, filesMs, databaseMs, dumpBytes: statSync(dump).size, tar, dump };
}

/** `packMs`: from the creation of the archive until it has its name. */
export type Backup = { name: string; ms: number; packMs: number; size: number; entries: number; memory: number };

/** Measures the whole operation, from the order to its end. */
export async function createBackup({ site, connection, folder }: Stage): Promise<Backup> {
  const operation = randomUUID();
  const name = `${operation}.wpress`;
  const order = { operation, site, php: '/usr/bin/php', name, format: 1 as const, without: {} };
  const { ms, done } = await timed(() => runOperation(connection, operation, { ...packTask(order), lock: site.path }));
  const reader = new PackReader();
  for (const line of done.lines) reader.readLine(line);
  const { end } = reader;
  if (end?.is !== 'done') throw new Error(`the backup failed: ${end?.message ?? done.printed}`);
  const { birthtimeMs, ctimeMs } = statSync(join(folder, name));
  return { name, ms, packMs: ctimeMs - birthtimeMs, size: end.size, entries: end.entries, memory: end.memory };
}
