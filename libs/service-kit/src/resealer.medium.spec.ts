import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { testFolder } from '@vigie/testing/test-folder';
import { until } from '@vigie/testing/until';
import { kidOf, type Sealed, seal, unseal } from '@vigie/vault/seal';
import { DataSource } from 'typeorm';
import { generateKeys, generateOpener, sealerOf } from './keys';
import { LiveKeys } from './live-keys';
import { makeLog } from './log';
import { Resealer, type SealedColumn } from './resealer';

const { 'sites-svc': sites, 'ssh-agent': agent } = generateKeys();
const [own, agents] = [generateOpener(), generateOpener()];
const rotated = {
  ...sites,
  opens: [own, ...sites.opens],
  readers: {
    ...sites.readers,
    'sites-svc': [sealerOf(own), ...sites.readers['sites-svc']],
    'ssh-agent': [sealerOf(agents), ...sites.readers['ssh-agent']],
  },
};
const agentOpens = [agents, ...agent.opens];
const sealContextOf = (row: object) => `servers|${Object(row).id}|password|${Object(row).host}`;
const ownColumn: SealedColumn = { table: 'servers', id: 'id', column: 'note', sealContext: sealContextOf };

let folder: string;
let database: TestDatabase;
let source: DataSource;
let resealer: Resealer | undefined;
beforeEach(async () => {
  folder = testFolder('reseal');
  database = await createDatabase();
  await database.query('create table servers (id int primary key, host text not null, password jsonb, note jsonb)');
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterEach(async () => {
  await resealer?.onApplicationShutdown();
  await source.destroy();
  await database.drop();
});

/** Starts with the old keys, then writes the new ones. */
function rotateUnder(column: SealedColumn): void {
  const file = join(folder, 'sites-svc.json');
  writeFileSync(file, JSON.stringify(sites));
  const log = makeLog('test', 'silent');
  resealer = new Resealer(source, { keys: new LiveKeys(file, sites, log), log }, [column]);
  resealer.onApplicationBootstrap();
  writeFileSync(file, JSON.stringify(rotated));
}

async function insert(id: number, column: string, text: string): Promise<void> {
  const [reader] = sites.readers[column === 'note' ? 'sites-svc' : 'ssh-agent'];
  if (!reader) throw new Error('no reader');
  const sealed = await seal(text, reader, sealContextOf({ id, host: 'a.example' }));
  await database.query(`insert into servers (id, host, ${column}) values ($1, 'a.example', $2)`, [id, sealed]);
}

async function storedValues(column: string): Promise<(Sealed | null)[]> {
  const { rows } = await database.query<Record<string, Sealed | null>>(`select * from servers order by id`);
  return rows.map((row) => row[column] ?? null);
}
const kids = async (column: string) => (await storedValues(column)).map((sealed) => sealed && kidOf(sealed));

it('reseals every value of an older key, over many pages, and skips null', async () => {
  for (let id = 1; id <= 230; id += 1) await insert(id, 'note', `secret ${id}`);
  await database.query("insert into servers values (231, 'a.example')");
  rotateUnder(ownColumn);
  await until(async () => (await kids('note')).every((kid) => kid === own.kid || kid === null));
  const [sealed] = (await storedValues('note')).slice(229);
  expect(sealed && (await unseal(sealed, [own], sealContextOf({ id: 230, host: 'a.example' })))).toBe('secret 230');
});

it('lets another process reseal values that only it can unseal', async () => {
  await insert(1, 'password', 'azerty');
  const reseal = async (row: Record<string, unknown>) => {
    const text = await unseal(row['password'] as Sealed, agentOpens, sealContextOf(row));
    return seal(text, sealerOf(agents), sealContextOf(row));
  };
  rotateUnder({ table: 'servers', id: 'id', column: 'password', reader: 'ssh-agent', reseal });
  await until(async () => (await kids('password'))[0] === agents.kid);
  const [sealed] = await storedValues('password');
  expect(sealed && (await unseal(sealed, [agents], sealContextOf({ id: 1, host: 'a.example' })))).toBe('azerty');
});

it('never overwrites a value that changed while it resealed', async () => {
  await insert(1, 'password', 'azerty');
  const later = await seal('changed', sealerOf(agents), sealContextOf({ id: 1, host: 'a.example' }));
  let reseals = 0;
  const reseal = async () => {
    reseals += 1;
    await database.query('update servers set password = $1', [later]);
    return seal('azerty', sealerOf(agents), 'p');
  };
  rotateUnder({ table: 'servers', id: 'id', column: 'password', reader: 'ssh-agent', reseal });
  await until(() => reseals === 1);
  await resealer?.onApplicationShutdown();
  expect(await storedValues('password')).toEqual([later]);
});

it('goes on after a value that cannot be unsealed', async () => {
  await insert(1, 'note', 'moved');
  await database.query('update servers set id = 0');
  await database.query(`insert into servers values (1, 'a.example', null, '"no seal"')`);
  await insert(2, 'note', 'sound');
  rotateUnder(ownColumn);
  await until(async () => {
    const { rows } = await database.query<{ note: Sealed }>('select note from servers where id = 2');
    return rows[0] !== undefined && kidOf(rows[0].note) === own.kid;
  });
  expect(await kids('note')).toEqual([sites.opens[0]?.kid, undefined, own.kid]);
});

it('works one replica at a time', async () => {
  await insert(1, 'note', 'secret');
  const holder = source.createQueryRunner();
  await holder.startTransaction();
  await holder.query("select pg_advisory_xact_lock(hashtext(current_schema() || '.sealed'))");
  rotateUnder(ownColumn);
  // The pass is over once its transaction, in which it failed to get the lock, has committed; no other transaction
  // commits here.
  const passed = "select 1 from pg_stat_activity where datname = current_database() and query = 'COMMIT'";
  await until(async () => (await database.query(passed)).rowCount !== 0);
  await resealer?.onApplicationShutdown();
  expect(await kids('note')).not.toContain(own.kid);
  await holder.rollbackTransaction();
  await holder.release();
});
