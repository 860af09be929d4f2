import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { verifyAudit } from '@vigie/service-kit/audit';
import { laterMigrations } from '@vigie/service-kit/migrate';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { dumpTables } from '@vigie/testing/dump';
import { addServer } from '@vigie/testing/hosts';
import { addUser, enrol, type Person, totpOf } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';
import { FakeS3 } from '@vigie/testing/s3';
import { migrate } from '@vigie/testing/templates';
import { runTool, startTool } from '@vigie/testing/tools';
import { until } from '@vigie/testing/until';
import { sendArchive } from '@vigie/testing/uploads';
import { aPlugin } from '@vigie/testing/zip';
import { openDatabase } from '../database';
import { Place } from '../restore/place';
import type { Manifest } from './format';
import { ArchiveReader } from './read-archive';
import { ArchiveWriter, writeNewFile } from './write-archive';

const VIGIE_BACKUP_PASSPHRASE = 'canari de sauvegarde';
const apps = ['gateway', 'auth-svc', 'sites-svc', 'dns-svc', 'ssh-agent'] as const;

let folder: string;
let file: string;
let product: TestProduct;
let token: string;
let s3: FakeS3;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigie-backup-'));
  file = join(folder, 'vigie.backup');
  s3 = await FakeS3.start();
  product = await TestProduct.start(apps, { VIGIE_STORE: 's3://vigie/parc', ...s3.env });
  token = await product.login();
});
afterAll(async () => {
  await product?.stop();
  await s3?.close();
  await rm(folder, { recursive: true });
});

/** On a disk, while the product that is backed up has its own in S3. */
const storeOf = (home: string) => pathToFileURL(join(home, 'store')).href;
const envFor = (VIGIE_STORE: string, { url }: Pick<TestDatabase, 'url'>) => ({
  ...s3.env,
  VIGIE_HOME: join(folder, 'state'),
  VIGIE_STORE,
  DATABASE_URL: url,
  VIGIE_BACKUP_PASSPHRASE,
});
const here = () => envFor('s3://vigie/parc', product.database);
const backup = (path: string) => runTool('backup', [path, '--keys', product.home], here());

type Kept = { person: Person; secret: string; server: string; waiting: string; begun: string };
let things: Kept;

/** What is hard to bring back: a second factor, a sealed credential, a file, work that waits and work that runs. */
async function keepThings(): Promise<Kept> {
  const { who, token: theirs } = await addUser(product, token);
  const { secret } = await enrol(product, theirs);
  const { id: server } = await addServer(product, token, { name: 'web', host: '10.0.0.9' });
  const { status } = await sendArchive(product, aPlugin(), 'boussole.zip', { token });
  expect(status).toBe(201);
  const [waiting, begun] = [randomUUID(), randomUUID()];
  const { rows } = await product.database.query<{ id: string }>('select id from auth.users where email = $1', [
    admin.email,
  ]);
  const add = (id: string, state: string, isBegun: boolean) =>
    product.database.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, server_name, queue, lane, is_exclusive, is_heavy, input,
         state, not_before, dispatched_at, lease_until, started_at, attempts, claimed_attempt, fence)
       values ($1, 'servers.test', $2, $2, $3, 'web', 'site-looks', '10.0.0.9:22 look', false, false, '{}', $4,
         now() + interval '1 day', $5, $5, $5, 1, 1, 1)`,
      [id, rows[0]?.id, server, state, isBegun ? new Date(Date.now() + 3_600_000) : null],
    );
  await add(waiting, 'queued', false);
  await add(begun, 'running', true);
  return { person: who, secret, server, waiting, begun };
}

async function manifestOf(path: string): Promise<Manifest> {
  const reader = await ArchiveReader.open(path, VIGIE_BACKUP_PASSPHRASE);
  for await (const _ of reader.parts());
  await reader.close();
  return reader.manifest;
}

type Change = { of: (manifest: Manifest) => Manifest; keeps: (part: string) => boolean };

/** The same archive with less in it, as somebody makes it who knows the passphrase. */
async function copyWith(from: string, to: string, change: Change): Promise<void> {
  const manifest = await manifestOf(from);
  const { parts: _, ...rest } = change.of(manifest);
  const reader = await ArchiveReader.open(from, VIGIE_BACKUP_PASSPHRASE);
  await writeNewFile(to, async (handle) => {
    const writer = await ArchiveWriter.begin(handle, VIGIE_BACKUP_PASSPHRASE);
    for await (const { name, content } of reader.parts()) {
      if (change.keeps(name)) await writer.part(name, content);
    }
    await writer.end(rest);
  });
  await reader.close();
}

describe('a backup', () => {
  it('is of one moment while everybody goes on writing, sealed, and for its owner alone', async () => {
    things = await keepThings();
    let isOver = false;
    const write = async () => {
      for (let n = 0; !isOver; n += 1)
        await product.request('POST', '/api/groups', { token, body: { name: `pendant ${n}` } });
    };
    const ended = backup(file).finally(() => {
      isOver = true;
    });
    const [{ code, printed }] = await Promise.all([ended, write()]);
    expect(printed).toContain('Stockage : 1 fichier copié.');
    expect(code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { schemas, parts, missing } = await manifestOf(file);
    expect(schemas.map(({ name }) => name)).toEqual(['auth', 'sites', 'dns']);
    expect(missing).toEqual([]);
    expect(parts.filter(({ name }) => name.startsWith('keys/'))).toHaveLength(5);
  });

  it('tells of a file that the store has lost, and is refused where the store has none at all', async () => {
    const [[name = '', kept] = []] = s3.objects;
    const other = join(folder, 'other.backup');
    s3.objects.set(name, { etag: '"other"', at: new Date(), bytes: Buffer.from('autre chose') });
    const { code, printed } = await backup(other);
    if (kept) s3.objects.set(name, kept);
    expect([code, printed]).toEqual([1, expect.stringContaining('n’a rien de ce que la base nomme (1 fichier)')]);
    await expect(stat(other)).rejects.toThrow('ENOENT');
  });

  it('that is called off in the middle of a file leaves nothing, nor does the next one after one that was killed', async () => {
    const begin = async () => {
      s3.faults.push({ of: 'GetObject', kind: 'silent' });
      const { child, outcome } = startTool('backup', [join(folder, 'cut.backup'), '--keys', product.home], here());
      await until(() => s3.faults.length === 0 || child.exitCode !== null);
      return { child, outcome };
    };
    const parts = async () => (await readdir(folder)).filter((name) => name.startsWith('cut.backup'));
    const killed = await begin();
    killed.child.kill('SIGKILL');
    expect(await killed.outcome).toMatchObject({ code: null });
    const [left = ''] = await parts();
    expect((await stat(join(folder, left))).mode & 0o777).toBe(0o600);
    const { child, outcome } = await begin();
    expect(await parts()).toEqual([expect.not.stringContaining(left)]);
    child.kill('SIGINT');
    expect(await outcome).toEqual({ code: 130, printed: expect.stringContaining('rien n’a été gardé') });
    expect(await parts()).toEqual([]);
  });
});

const withoutRestorations = ({ migrations, tables, ...schema }: Manifest['schemas'][number]) => ({
  ...schema,
  migrations: migrations.filter((name) => !name.startsWith('NoteRestorations')),
  tables: tables.filter(({ name }) => name !== 'restorations'),
});

async function refuse(identity: string): Promise<void> {
  await product.database.query(`
    create or replace function public.refuse() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = '${identity}') then
        raise exception 'not that one, while services log in: %', (
          select bool_or(rolcanlogin) from pg_roles where starts_with(rolname, current_database() || '_'));
      end if;
    end $$;
    create event trigger refuse on ddl_command_end execute function public.refuse()`);
}

/** A file in the store that nothing names, so many days old. */
async function leave(home: string, days: number): Promise<string> {
  const path = join(home, 'store/objects', FileStore.newKey());
  await writeFile(path, 'x');
  const at = new Date(Date.now() - days * 86_400_000);
  await utimes(path, at, at);
  return path;
}

describe('a restore', () => {
  const restore = (env: Record<string, string>, ...args: string[]) => startTool('restore', [file, ...args], env);
  const restoreOver = (name: string) => restore(here(), '--keys', product.home, '--replace', name).outcome;

  it('refuses what runs, what is full and what was not meant, before it touches anything', async () => {
    const name = new URL(product.database.url).pathname.slice(1);
    expect(await restoreOver(name)).toEqual({ code: 1, printed: expect.stringContaining('Vigie tourne encore') });
    for (const { process } of product.processes) await process.kill('SIGKILL');
    // PostgreSQL hears of that a moment later.
    const theirs = "select from pg_stat_activity where starts_with(usename, current_database() || '_')";
    await until(async () => (await product.database.query(theirs)).rowCount === 0);
    expect(await restoreOver('autre')).toEqual({ code: 1, printed: expect.stringContaining(`--replace ${name}`) });
    expect(await product.database.query('select 1 from auth.users where email = $1', [admin.email])).toHaveProperty(
      'rowCount',
      1,
    );
  });

  it('takes nothing that is the product’s for what another one left', async () => {
    const { database, home } = product;
    const later = { VIGIE_RESTORED_MIGRATIONS: laterMigrations };
    await expect(migrate('dns-svc', join(home, 'dns-svc.json'), database.url, later)).rejects.toThrow(
      'no restore of the schema dns is under way',
    );
    const client = await openDatabase(database.url);
    try {
      // As such a step left it once, when it came too late.
      await client.query('create table dns.migrations_of_restore ()');
      await expect(new Place(client).requireReplaceable(undefined)).rejects.toThrow('contient déjà une Vigie');
    } finally {
      await client.query('drop table dns.migrations_of_restore');
      await client.end();
    }
  });

  describe('that fails', () => {
    /** Made by a release that did not know the last migration of sites-svc. */
    const older: Change = {
      of: (manifest) => ({ ...manifest, schemas: manifest.schemas.map(withoutRestorations) }),
      keeps: (part) => part !== 'rows/sites.restorations',
    };
    // What PostgreSQL refuses to make or to change.
    it.each([
      ['at the migrations of this release', 'sites.restorations'],
      ['with its keys in place already', 'sites.migrations'],
    ])('%s leaves all as it was', async (_, refused) => {
      const name = new URL(product.database.url).pathname.slice(1);
      const other = join(folder, 'other.backup');
      await rm(other, { force: true });
      await copyWith(file, other, older);
      const key = join(product.home, 'auth-svc.json');
      const [keys, before] = [await readFile(key, 'utf8'), await dumpTables(product.database)];
      // Not those of the archive.
      await writeFile(key, `${keys}\n`);
      await refuse(refused);
      const failed = await startTool('restore', [other, '--keys', product.home, '--replace', name], here()).outcome;
      await product.database.query('drop event trigger refuse');
      expect(failed).toEqual({ code: 1, printed: expect.stringContaining('tout est comme avant') });
      expect(failed.printed).toContain('not that one, while services log in: f');
      expect(failed.printed.length).toBeLessThan(6_000);
      expect(await dumpTables(product.database)).toEqual(before);
      expect(await readFile(key, 'utf8')).toBe(`${keys}\n`);
      await writeFile(key, keys);
      const { rows } = await product.database.query('select from pg_roles where rolname = $1 and rolcanlogin', [
        `${name}_sites`,
      ]);
      expect(rows).toHaveLength(1);
    });
  });

  it('brings all of it back elsewhere, also after it was killed on the way', async () => {
    const home = join(folder, 'elsewhere');
    const database = await createDatabase();
    await database.query('create schema auth create table remains (id int)');
    const env = envFor(storeOf(home), database);
    const name = new URL(database.url).pathname.slice(1);
    const { child, outcome } = restore(env, '--keys', home, '--replace', name);
    await until(async () => {
      const { rows } = await database.query("select to_regclass('sites.migrations_of_restore') as found");
      return rows[0].found !== null || child.exitCode !== null;
    });
    child.kill('SIGKILL');
    expect(await outcome).toMatchObject({ code: null });
    await expect(database.query('select 1 from sites.migrations')).rejects.toThrow('does not exist');
    await expect(migrate('sites-svc', join(product.home, 'sites-svc.json'), database.url)).rejects.toThrow(
      'did not come to its end',
    );
    const { code, printed } = await restore(env, '--keys', home).outcome;
    expect(printed).toContain('Tout est en place.');
    expect(code).toBe(0);
    expect([...(await dumpTables(database)).keys()].filter((table) => table.includes('remains'))).toEqual([]);

    const again = join(folder, 'again.backup');
    expect((await runTool('backup', [again, '--keys', home], env)).code).toBe(0);
    const [before, after] = [await manifestOf(file), await manifestOf(again)];
    // What a restore changes knowingly.
    const others = /^rows\/(\w+\.outbox|\w+\.outbox_cursors|sites\.jobs|sites\.restorations)$/;
    const same = ({ parts }: Manifest) => parts.filter((part) => !others.test(part.name));
    expect(same(after)).toEqual(same(before));

    const { rows: noted } = await database.query(
      "update sites.restorations set at = at - interval '2 days' returning at > now() - interval '49 hours' as is_now",
    );
    expect(noted).toEqual([{ is_now: true }]);
    const [older, newer] = [await leave(home, 3), await leave(home, 1.5)];
    const restored = await TestProduct.on(home, database, apps);
    try {
      await seeThatAllIsBack(restored);
      // Nothing names either; the one was there before the restore.
      await until(() => !existsSync(newer));
      expect(existsSync(older)).toBe(true);
    } finally {
      await restored.stop();
    }
  });
});

async function seeThatAllIsBack(restored: TestProduct): Promise<void> {
  const { person, secret, server, waiting, begun } = things;
  const root = await restored.login();
  const coded = await restored.request('POST', '/api/auth/login', {
    body: { ...person, totp_code: totpOf(secret, 1) },
  });
  expect(coded.body['access_token']).toEqual(expect.any(String));
  expect((await restored.request('GET', '/api/auth/me', { token })).status).toBe(200);
  // Taken up before its server goes elsewhere: then nothing would be left to look for.
  await until(async () => {
    const { rows } = await restored.database.query('select fence from sites.jobs where id = $1', [begun]);
    return rows[0].fence > 1_000_001;
  });
  // Its key goes along to another address only where it opens.
  const moved = { token: root, body: { host: '10.0.0.8' } };
  expect((await restored.request('PUT', `/api/servers/${server}`, moved)).status).toBe(200);

  const { rows: files } = await restored.database.query(
    'select object_key as key, size::int, sha256 from sites.uploads',
  );
  const store = await DiskStore.open(storeOf(restored.home));
  for (const { key, size, sha256 } of files) for await (const _ of store.read(key, { size, sha256 }));
  expect(files).toHaveLength(1);

  const stateOf = async (id: string) => (await restored.request('GET', `/api/jobs/${id}`, { token: root })).body;
  await until(async () => (await stateOf(waiting))['state'] === 'unknown');
  expect(JSON.stringify(await stateOf(waiting))).toContain('attendait son tour quand Vigie a été sauvegardée');

  // What began together is there together: a group and its line.
  const { rows: groups } = await restored.database.query(
    `select (select count(*) from sites.groups) as groups,
       (select count(*) from sites.audit_lines where action = 'group_create') as lines`,
  );
  expect(groups[0].groups).toBe(groups[0].lines);
  for (const schema of ['auth', 'sites', 'dns']) {
    await restored.database.query(`begin isolation level repeatable read; set local search_path to ${schema}`);
    const ask = async <T>(sql: string, values: unknown[] = []) =>
      (await restored.database.query(sql, values)).rows as T[];
    expect((await verifyAudit(ask)).faults).toEqual([]);
    await restored.database.query('commit');
  }
}
