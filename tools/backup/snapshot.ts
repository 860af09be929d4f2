import { readFileSync } from 'node:fs';
import { processes } from '@vigie/service-kit/keys';
import { migrationLock } from '@vigie/service-kit/migrate';
import type { StoredFile } from '@vigie/files/file-store';
import { type Client, escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readKeyFiles } from '../keys/rings';
import { keyFile } from '../start/keys';
import { Refusal, fr } from '../terminal';
import { readSchema, requireAllSchemas, schemas as productSchemas, setPortableFormats, tableOf } from './catalogue';
import type { Schema } from './format';

export type StoredObject = StoredFile & { key: string };

/** A consistent read of all schemas, and the keys that open its sealed values. */
export class Snapshot {
  private constructor(
    private readonly client: Client,
    readonly schemas: readonly Schema[],
    readonly keys: ReadonlyMap<string, Buffer>,
  ) {}

  /** Waits for running migrations, because a table that is being rebuilt looks empty to an older snapshot. */
  static async take(client: Client, keyFolder: string): Promise<Snapshot> {
    await setPortableFormats(client);
    await requireAllSchemas(client);
    const keys = readKeys(keyFolder);
    await client.query('select pg_advisory_lock_shared($1)', [migrationLock]);
    await client.query('begin transaction isolation level repeatable read read only');
    const schemas: Schema[] = [];
    for (const { name } of productSchemas) schemas.push(await readSchema(client, name));
    const tables = schemas.flatMap(({ name, tables: own }) => own.map((table) => tableOf(name, table.name)));
    await client.query(`lock table ${tables.join(', ')} in access share mode`);
    await client.query('select pg_advisory_unlock_shared($1)', [migrationLock]);
    // A key that a rotation has added or removed meanwhile may be one that seals values of this snapshot.
    if (!areKeysEqual(keys, readKeys(keyFolder)))
      throw new Refusal(
        fr`Une rotation des clés vient d’avancer dans ${keyFolder} : relancez la sauvegarde dans un instant.`,
      );
    return new Snapshot(client, schemas, keys);
  }

  rows(schema: string, { name, columns }: Schema['tables'][number]): AsyncIterable<Buffer> {
    const list = columns.map((column) => escapeIdentifier(column)).join(', ');
    return this.client.query(copyTo(`copy ${tableOf(schema, name)} (${list}) to stdout`));
  }

  /** The stored objects that rows name. */
  async objects(): Promise<StoredObject[]> {
    const { rows } = await this.client.query<{ key: string; size: string; sha256: string }>(
      `select object_key as key, size::text, sha256 from sites.uploads
       union all select object_key, size::text, sha256 from sites.local_backups order by 1`,
    );
    return rows.map(({ key, size, sha256 }) => ({ key, size: Number(size), sha256 }));
  }

  async close(): Promise<void> {
    await this.client.query('commit');
  }
}

function readKeys(folder: string): Map<string, Buffer> {
  // Refuses key files that do not belong together.
  readKeyFiles(folder);
  return new Map(processes.map((name) => [name, readFileSync(keyFile(folder, name))]));
}

const areKeysEqual = (first: ReadonlyMap<string, Buffer>, second: ReadonlyMap<string, Buffer>) =>
  [...first].every(([name, bytes]) => second.get(name)?.equals(bytes));
