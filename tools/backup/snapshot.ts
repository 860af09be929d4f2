import { readFileSync } from 'node:fs';
import { processes } from '@vigie/service-kit/keys';
import { migrationLock } from '@vigie/service-kit/migrate';
import type { Stored } from '@vigie/files/file-store';
import { type Client, escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readKeyFiles } from '../keys/rings';
import { keyFile } from '../start/keys';
import { Refusal, fr } from '../terminal';
import { readSchema, requireWhole, schemas as known, speakPlainly, tableOf } from './catalogue';
import type { Schema } from './format';

export type StoredObject = Stored & { key: string };

/** One moment of all schemas, and the keys that open what it holds. */
export class Snapshot {
  private constructor(
    private readonly client: Client,
    readonly schemas: readonly Schema[],
    readonly keys: ReadonlyMap<string, Buffer>,
  ) {}

  /** No migration may be under way: a table that is rebuilt looks empty to whoever began before. */
  static async take(client: Client, keyFolder: string): Promise<Snapshot> {
    await speakPlainly(client);
    await requireWhole(client);
    const before = readKeys(keyFolder);
    await client.query('select pg_advisory_lock_shared($1)', [migrationLock]);
    await client.query('begin transaction isolation level repeatable read read only');
    const found: Schema[] = [];
    for (const { name } of known) found.push(await readSchema(client, name));
    const tables = found.flatMap(({ name, tables: own }) => own.map((table) => tableOf(name, table.name)));
    await client.query(`lock table ${tables.join(', ')} in access share mode`);
    await client.query('select pg_advisory_unlock_shared($1)', [migrationLock]);
    // What a rotation gave or took between the two might be what this moment was sealed with.
    if (!areSame(before, readKeys(keyFolder)))
      throw new Refusal(
        fr`Une rotation des clés vient d’avancer dans ${keyFolder} : relancez la sauvegarde dans un instant.`,
      );
    return new Snapshot(client, found, before);
  }

  rows(schema: string, { name, columns }: Schema['tables'][number]): AsyncIterable<Buffer> {
    const list = columns.map((column) => escapeIdentifier(column)).join(', ');
    return this.client.query(copyTo(`copy ${tableOf(schema, name)} (${list}) to stdout`));
  }

  /** What rows name in the store. */
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
  // Refuses files that do not belong together.
  readKeyFiles(folder);
  return new Map(processes.map((name) => [name, readFileSync(keyFile(folder, name))]));
}

const areSame = (one: ReadonlyMap<string, Buffer>, other: ReadonlyMap<string, Buffer>) =>
  [...one].every(([name, bytes]) => other.get(name)?.equals(bytes));
