import { randomFillSync, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileStore } from '@vigie/files/file-store';
import { connect, type Connection } from '@vigie/ssh/connection';
import { runScript } from '@vigie/ssh/script';
import { downloadFrom } from '@vigie/ssh/transfer';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { runOperation } from '@vigie/testing/operations';
import { backupsOf } from '@vigie/testing/packs';
import { archiveFacts, readArchive } from '@vigie/wordpress/backups';
import { PackReader, packTask } from '@vigie/wordpress/pack';
import { Archive } from '@vigie/wpress/read-archive';
import { verifyArchive } from '@vigie/wpress/verify-archive';
import { Children } from '../test/children';
import { ensureWordPress } from '../test/wordpress';
import { reportBackups } from './backups-report';
import { ensureSshPrograms, opensshOptions } from './ssh-stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
const whole = { files: 20_000, bytes: 800 * mebibyte, rows: 190_000, rounds: 3 };
const quick = { files: 1_000, bytes: 40 * mebibyte, rows: 10_000, rounds: 1 };
type Sizes = typeof whole;

type Stage = { fleet: Fleet; site: FleetSite; connection: Connection; folder: string; scratch: string };

/** A site packed, listed, copied and read, each against what people do without Vigie. */
export async function benchBackups(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = isQuick ? quick : whole;
  const stage = await setStage(bench, sizes);
  const packs: Packed[] = [];
  const rivals: Rival[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    rivals.push(await tarAndDump(stage));
    const last = packs.at(-1);
    if (last) rmSync(join(stage.folder, last.name));
    packs.push(await pack(stage));
  }
  const last = packs.at(-1);
  if (!last) throw new Error('nothing was packed');
  const middle = <T>(all: readonly T[], of: (one: T) => number) => median(all.map(of));
  const copies = [];
  for (let round = 0; round < sizes.rounds; round += 1) copies.push(await copyTo(bench, stage, last));
  reportBackups({
    files: sizes.files,
    bytes: last.size,
    dumpBytes: rivals.at(-1)?.dumpBytes ?? 0,
    packMs: middle(packs, ({ ms }) => ms),
    packMemory: last.memory,
    tarMs: middle(rivals, ({ tarMs }) => tarMs),
    dumpMs: middle(rivals, ({ dumpMs }) => dumpMs),
    entries: last.entries,
    listMs: middle(copies, ({ listMs }) => listMs),
    verifyMs: middle(copies, ({ verifyMs }) => verifyMs),
    copyMs: middle(copies, ({ ownMs }) => ownMs),
    scpMs: middle(copies, ({ scpMs }) => scpMs),
    copyMemory: Math.max(...copies.map(({ grown }) => grown)),
  });
}

async function setStage(bench: Workbench, sizes: Sizes): Promise<Stage> {
  await ensureSshPrograms(bench);
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  await ensureWordPress(children);
  const fleet = await Fleet.start({ kinds: ['plain'] });
  bench.atEnd(() => fleet.close());
  const { port, privateKey } = fleet.host;
  const target = { host: '127.0.0.1', port, user: deploy.name, hostKey: null, mayConnect: () => true };
  const connection = await connect({ ...target, auth: { privateKey } });
  bench.atEnd(() => connection.close());
  const site = fleet.site('plain');
  await fill(fleet, site, sizes);
  const scratch = join(fleet.host.homeOf(deploy.name), 'scratch');
  mkdirSync(scratch);
  chownSync(scratch, deploy.uid, deploy.gid);
  return { fleet, site, connection, folder: backupsOf(contentOf(site)), scratch };
}

/** Most files of a site are small, most of its bytes are pictures, which nothing makes smaller. */
async function fill(fleet: Fleet, site: FleetSite, { files, bytes, rows }: Sizes): Promise<void> {
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

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; done: T }> {
  const since = performance.now();
  const done = await work();
  return { ms: performance.now() - since, done };
}

type Rival = { tarMs: number; dumpMs: number; dumpBytes: number };

async function tarAndDump({ site, scratch }: Stage): Promise<Rival> {
  const config = readFileSync(join(site.path, 'wp-config.php'), 'utf8');
  const valueOf = (name: string) => new RegExp(`'${name}', *'([^']*)'`).exec(config)?.[1] ?? '';
  const [host = '', port = '3306'] = valueOf('DB_HOST').split(':');
  const [tar, dump] = [join(scratch, 'site.tar'), join(scratch, 'site.sql')];
  const login = ['--no-defaults', `--host=${host}`, `--port=${port}`, `--user=${valueOf('DB_USER')}`];
  const dumping = ['mariadb-dump', ...login, `--password=${valueOf('DB_PASSWORD')}`, '--single-transaction'];
  const all = ['tar', 'cf', tar, '--exclude=ai1wm-backups', '-C', contentOf(site), '.'];
  const { ms: dumpMs } = await timed(() =>
    run('sh', ['-c', 'exec "$@" >"$0"', dump, ...dumping, site.database], { as: deploy }),
  );
  const { ms: tarMs } = await timed(() => run(all[0] ?? '', all.slice(1), { as: deploy }));
  const dumpBytes = statSync(dump).size;
  for (const file of [tar, dump]) rmSync(file);
  return { tarMs, dumpMs, dumpBytes };
}

type Packed = { name: string; ms: number; size: number; entries: number; memory: number };

/** From the order to the end of the operation, with all that makes it one. */
async function pack({ site, connection }: Stage): Promise<Packed> {
  const operation = randomUUID();
  const name = `${operation}.wpress`;
  const order = { operation, site, php: '/usr/bin/php', name, format: 1 as const, without: {} };
  const { ms, done } = await timed(() => runOperation(connection, operation, { ...packTask(order), lock: site.path }));
  const reader = new PackReader();
  for (const line of done.lines) reader.hear(line);
  const { end } = reader;
  if (end?.is !== 'done') throw new Error(`nothing was packed: ${end?.message ?? done.printed}`);
  return { name, ms, size: end.size, entries: end.entries, memory: end.memory };
}

async function copyTo(bench: Workbench, stage: Stage, { name, size }: Packed) {
  const { fleet, site, connection, folder } = stage;
  const copy = join(bench.folder, 'copy.wpress');
  const scp = [
    'scp',
    ...opensshOptions(bench, fleet.host)(fleet.host.port),
    `${deploy.name}@127.0.0.1:${folder}/${name}`,
  ];
  const { ms: scpMs } = await timed(() => run(scp[0] ?? '', [...scp.slice(1), copy]));
  rmSync(copy);
  const store = await FileStore.open(pathToFileURL(join(bench.folder, 'store')).href);
  const key = FileStore.newKey();
  const place = { path: site.path, content: contentOf(site), php: '/usr/bin/php' };
  const host = { run: (script: string, options: object) => runScript(connection, script, options) };
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const { ms: ownMs } = await timed(async () => {
    const incoming = await store.resume(key);
    const { script, args } = readArchive(place, name, 0);
    const [went, there] = await Promise.all([
      downloadFrom(connection, script, (bytes) => incoming.add(bytes), { args }),
      archiveFacts(host, place, { name, isHashed: true }),
    ]);
    if (went.bytes !== size || went.sha256 !== there?.sha256) throw new Error('what came is not what was sent');
    await incoming.finish();
  });
  clearInterval(watch);
  const { listMs, verifyMs } = await readCopy(store, key);
  await store.delete(key);
  return { scpMs, ownMs, listMs, verifyMs, grown: most - before };
}

async function readCopy(store: FileStore, key: string): Promise<{ listMs: number; verifyMs: number }> {
  const reader = await store.reader(key);
  if (!reader) throw new Error('the copy is gone');
  try {
    const { ms: listMs } = await timed(async () => {
      let count = 0;
      for await (const entry of (await Archive.open(reader)).entries()) count += entry.size > 0 ? 1 : 0;
      return count;
    });
    const { ms: verifyMs } = await timed(() => verifyArchive(reader));
    return { listMs, verifyMs };
  } finally {
    await reader.close();
  }
}
