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
import type { Authenticator } from '@vigie/testing/authenticator';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { dumpTables } from '@vigie/testing/dump';
import { addServer } from '@vigie/testing/hosts';
import { addPasskey, loginByPasskey } from '@vigie/testing/passkeys';
import { addUser, enableTwoFactor, type Person, totpOf } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';
import { FakeS3 } from '@vigie/testing/s3';
import { migrate } from '@vigie/testing/templates';
import { runTool, startTool } from '@vigie/testing/tools';
import { until } from '@vigie/testing/until';
import { sendArchive } from '@vigie/testing/uploads';
import { aPlugin } from '@vigie/testing/zip';
import { openDatabase } from '../database';
import { SchemaSwap } from '../restore/schema-swap';
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

/** The restored product stores its files on a disk, unlike the original, which uses S3. */
const storeOf = (home: string) => pathToFileURL(join(home, 'store')).href;
const envFor = (VIGIE_STORE: string, { url }: Pick<TestDatabase, 'url'>) => ({
  ...s3.env,
  VIGIE_HOME: join(folder, 'state'),
  VIGIE_STORE,
  DATABASE_URL: url,
  VIGIE_BACKUP_PASSPHRASE,
});
const productEnv = () => envFor('s3://vigie/parc', product.database);
const backup = (path: string) => runTool('backup', [path, '--keys', product.home], productEnv());

type TestData = {
  person: Person;
  secret: string;
  authenticator: Authenticator;
  serverId: string;
  queuedJobId: string;
  runningJobId: string;
};
let testData: TestData;

/** Creates what is hard to restore: a second factor, a passkey, a sealed credential, a file, a queued job and a running job. */
async function createTestData(): Promise<TestData> {
  const { credentials, token: userToken } = await addUser(product, token);
  const { secret } = await enableTwoFactor(product, userToken);
  const { authenticator } = await addPasskey(product, { token: userToken, credentials });
  const { id: serverId } = await addServer(product, token, { name: 'web', host: '10.0.0.9' });
  const { status } = await sendArchive(product, aPlugin(), 'boussole.zip', { token });
  expect(status).toBe(201);
  const [queuedJobId, runningJobId] = [randomUUID(), randomUUID()];
  const { rows } = await product.database.query<{ id: string }>('select id from auth.users where email = $1', [
    admin.email,
  ]);
  const addJob = (id: string, state: string, isDispatched: boolean) =>
    product.database.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, server_id, server_name, queue, lane, is_exclusive, is_heavy, input,
         state, not_before, dispatched_at, lease_until, started_at, attempts, claimed_attempt, fence)
       values ($1, 'servers.test', $2, $2, $3, 'web', 'site-looks', '10.0.0.9:22 look', false, false, '{}', $4,
         now() + interval '1 day', $5, $5, $5, 1, 1, 1)`,
      [id, rows[0]?.id, serverId, state, isDispatched ? new Date(Date.now() + 3_600_000) : null],
    );
  await addJob(queuedJobId, 'queued', false);
  await addJob(runningJobId, 'running', true);
  return { person: credentials, secret, authenticator, serverId, queuedJobId, runningJobId };
}

async function manifestOf(path: string): Promise<Manifest> {
  const reader = await ArchiveReader.open(path, VIGIE_BACKUP_PASSPHRASE);
  for await (const _ of reader.parts());
  await reader.close();
  return reader.manifest;
}

type ArchiveChange = { changeManifest: (manifest: Manifest) => Manifest; keepsPart: (part: string) => boolean };

/** Copies an archive without some of its parts, as somebody who knows the passphrase could. */
async function copyArchive(from: string, to: string, change: ArchiveChange): Promise<void> {
  const manifest = await manifestOf(from);
  const { parts: _, ...rest } = change.changeManifest(manifest);
  const reader = await ArchiveReader.open(from, VIGIE_BACKUP_PASSPHRASE);
  await writeNewFile(to, async (handle) => {
    const writer = await ArchiveWriter.begin(handle, VIGIE_BACKUP_PASSPHRASE);
    for await (const { name, content } of reader.parts()) {
      if (change.keepsPart(name)) await writer.writePart(name, content);
    }
    await writer.end(rest);
  });
  await reader.close();
}

describe('a backup', () => {
  it('is a sealed snapshot of a product in use, readable by its owner alone', async () => {
    testData = await createTestData();
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

  it('is refused when the store has none of the files that the database names', async () => {
    const [[name = '', object] = []] = s3.objects;
    const other = join(folder, 'other.backup');
    s3.objects.set(name, { etag: '"other"', at: new Date(), bytes: Buffer.from('autre chose') });
    const { code, printed } = await backup(other);
    if (object) s3.objects.set(name, object);
    expect([code, printed]).toEqual([1, expect.stringContaining('n’a rien de ce que la base nomme (1 fichier)')]);
    await expect(stat(other)).rejects.toThrow('ENOENT');
  });

  it('leaves nothing when interrupted, and removes what a killed backup has left', async () => {
    const startBackup = async () => {
      s3.faults.push({ of: 'GetObject', kind: 'silent' });
      const { child, outcome } = startTool(
        'backup',
        [join(folder, 'cut.backup'), '--keys', product.home],
        productEnv(),
      );
      await until(() => s3.faults.length === 0 || child.exitCode !== null);
      return { child, outcome };
    };
    const parts = async () => (await readdir(folder)).filter((name) => name.startsWith('cut.backup'));
    const killed = await startBackup();
    killed.child.kill('SIGKILL');
    expect(await killed.outcome).toMatchObject({ code: null });
    const [left = ''] = await parts();
    expect((await stat(join(folder, left))).mode & 0o777).toBe(0o600);
    const { child, outcome } = await startBackup();
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

async function refuseObject(identity: string): Promise<void> {
  await product.database.query(`
    create or replace function public.refuse() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = '${identity}') then
        raise exception 'not that one, while services log in: %', (
          select bool_or(rolcanlogin) from pg_roles where starts_with(rolname, current_database() || '_'));
      end if;
    end $$;
    create event trigger refuse on ddl_command_end execute function public.refuse()`);
}

/** Adds a file of this age to the store that no row names. */
async function addOldFile(home: string, days: number): Promise<string> {
  const path = join(home, 'store/objects', FileStore.newKey());
  await writeFile(path, 'x');
  const at = new Date(Date.now() - days * 86_400_000);
  await utimes(path, at, at);
  return path;
}

describe('a restore', () => {
  const restore = (env: Record<string, string>, ...args: string[]) => startTool('restore', [file, ...args], env);
  const restoreOver = (name: string) => restore(productEnv(), '--keys', product.home, '--replace', name).outcome;

  it('refuses a running product, a full database and a wrong name before it changes anything', async () => {
    const name = new URL(product.database.url).pathname.slice(1);
    expect(await restoreOver(name)).toEqual({ code: 1, printed: expect.stringContaining('Vigie tourne encore') });
    for (const { process } of product.processes) await process.kill('SIGKILL');
    // PostgreSQL notices the lost connections a moment later.
    const userToken = "select from pg_stat_activity where starts_with(usename, current_database() || '_')";
    await until(async () => (await product.database.query(userToken)).rowCount === 0);
    expect(await restoreOver('autre')).toEqual({ code: 1, printed: expect.stringContaining(`--replace ${name}`) });
    expect(await product.database.query('select 1 from auth.users where email = $1', [admin.email])).toHaveProperty(
      'rowCount',
      1,
    );
  });

  it('does not mistake tables of a product for those of an interrupted restore', async () => {
    const { database, home } = product;
    const later = { VIGIE_RESTORED_MIGRATIONS: laterMigrations };
    await expect(migrate('dns-svc', join(home, 'dns-svc.json'), database.url, later)).rejects.toThrow(
      'no restore of the schema dns is under way',
    );
    const client = await openDatabase(database.url);
    try {
      // A migrate step that came too late once left this table.
      await client.query('create table dns.migrations_of_restore ()');
      await expect(new SchemaSwap(client).requireReplaceable(undefined)).rejects.toThrow('contient déjà une Vigie');
    } finally {
      await client.query('drop table dns.migrations_of_restore');
      await client.end();
    }
  });

  describe('that fails', () => {
    /** An archive of a release without the last migration of sites-svc. */
    const older: ArchiveChange = {
      changeManifest: (manifest) => ({ ...manifest, schemas: manifest.schemas.map(withoutRestorations) }),
      keepsPart: (part) => part !== 'rows/sites.restorations',
    };
    // The second value is the object that PostgreSQL refuses to create or change.
    it.each([
      ['at the migrations of this release', 'sites.restorations'],
      ['after its keys are in place', 'sites.migrations'],
    ])('%s leaves everything as it was', async (_, refused) => {
      const name = new URL(product.database.url).pathname.slice(1);
      const other = join(folder, 'other.backup');
      await rm(other, { force: true });
      await copyArchive(file, other, older);
      const key = join(product.home, 'auth-svc.json');
      const [keys, before] = [await readFile(key, 'utf8'), await dumpTables(product.database)];
      // Makes the key file differ from the one in the archive.
      await writeFile(key, `${keys}\n`);
      await refuseObject(refused);
      const failed = await startTool('restore', [other, '--keys', product.home, '--replace', name], productEnv())
        .outcome;
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

  it('restores everything elsewhere, even after an attempt that was killed', async () => {
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
    // A restore changes these tables on purpose.
    const changedParts = /^rows\/(\w+\.outbox|\w+\.outbox_cursors|sites\.jobs|sites\.restorations)$/;
    const unchangedParts = ({ parts }: Manifest) => parts.filter((part) => !changedParts.test(part.name));
    expect(unchangedParts(after)).toEqual(unchangedParts(before));

    const { rows: restorations } = await database.query(
      "update sites.restorations set at = at - interval '2 days' returning at > now() - interval '49 hours' as is_now",
    );
    expect(restorations).toEqual([{ is_now: true }]);
    const [older, newer] = [await addOldFile(home, 3), await addOldFile(home, 1.5)];
    const restored = await TestProduct.onExisting(home, database, apps);
    try {
      await expectRestoredData(restored);
      // No row names either file, but the older one precedes the restore.
      await until(() => !existsSync(newer));
      expect(existsSync(older)).toBe(true);
    } finally {
      await restored.stop();
    }
  });
});

async function expectRestoredData(restored: TestProduct): Promise<void> {
  const { person, secret, authenticator, serverId, queuedJobId, runningJobId } = testData;
  const root = await restored.login();
  const secondLogin = await restored.request('POST', '/api/auth/login', {
    body: { ...person, totp_code: totpOf(secret, 1) },
  });
  expect(secondLogin.body['access_token']).toEqual(expect.any(String));
  const passkeyLogin = await loginByPasskey(restored, authenticator);
  expect(passkeyLogin.body['user']).toMatchObject({ email: person.email });
  expect((await restored.request('GET', '/api/auth/me', { token })).status).toBe(200);
  // The job must be taken up before its server gets another address, where there would be nothing to look for.
  await until(async () => {
    const { rows } = await restored.database.query('select fence from sites.jobs where id = $1', [runningJobId]);
    return rows[0].fence > 1_000_001;
  });
  // A changed address proves that the sealed credential of the server can be opened.
  const addressChange = { token: root, body: { host: '10.0.0.8' } };
  expect((await restored.request('PUT', `/api/servers/${serverId}`, addressChange)).status).toBe(200);

  const { rows: files } = await restored.database.query(
    'select object_key as key, size::int, sha256 from sites.uploads',
  );
  const store = await DiskStore.open(storeOf(restored.home));
  for (const { key, size, sha256 } of files) for await (const _ of store.read(key, { size, sha256 }));
  expect(files).toHaveLength(1);

  const stateOf = async (id: string) => (await restored.request('GET', `/api/jobs/${id}`, { token: root })).body;
  await until(async () => (await stateOf(queuedJobId))['state'] === 'unknown');
  expect(JSON.stringify(await stateOf(queuedJobId))).toContain('attendait son tour quand Vigie a été sauvegardée');

  // Rows of one transaction are restored together: each group has its audit line.
  const { rows: groups } = await restored.database.query(
    `select (select count(*) from sites.groups) as groups,
       (select count(*) from sites.audit_lines where action = 'group_create') as lines`,
  );
  expect(groups[0].groups).toBe(groups[0].lines);
  for (const schema of ['auth', 'sites', 'dns']) {
    await restored.database.query(`begin isolation level repeatable read; set local search_path to ${schema}`);
    const query = async <T>(sql: string, values: unknown[] = []) =>
      (await restored.database.query(sql, values)).rows as T[];
    expect((await verifyAudit(query)).faults).toEqual([]);
    await restored.database.query('commit');
  }
}
