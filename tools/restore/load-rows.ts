import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { restoredMigrations } from '@vigie/service-kit/migrate';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readSchema, tableOf } from '../backup/catalogue';
import type { Manifest, Schema } from '../backup/format';
import { Refusal, fr } from '../terminal';

type Table = { table: string; columns: readonly string[] };

/** More than the number of times that one job can have been claimed since the backup. */
const fenceIncrease = 1_000_000;

/** Loads rows into the schemas that the archive's migrations have created, in a transaction of the caller. */
export class RowLoader {
  private readonly foreignKeys: string[] = [];
  private readonly tables = new Map<string, Table>();

  constructor(
    private readonly client: Client,
    private readonly manifest: Manifest,
  ) {}

  /** Disables triggers, because the rows that they created are in the archive themselves. */
  async prepare(): Promise<void> {
    for (const schema of this.manifest.schemas) {
      await this.requireSameShape(schema);
      for (const { name, columns } of schema.tables)
        this.tables.set(`rows/${schema.name}.${name}`, { table: tableOf(schema.name, name), columns });
      await this.dropForeignKeys(schema.name);
    }
    const all = [...this.tables.values()].map(({ table }) => table);
    for (const table of all) await this.client.query(`alter table ${table} disable trigger user`);
    await this.client.query(`truncate ${all.join(', ')}`);
  }

  async load(part: string, content: AsyncIterable<Buffer>): Promise<void> {
    const target = this.tables.get(part);
    if (!target) throw new Error(`the archive has no table ${part}`);
    const columns = target.columns.map((column) => escapeIdentifier(column)).join(', ');
    await pipeline(
      Readable.from(content, { objectMode: false }),
      this.client.query(copyFrom(`copy ${target.table} (${columns}) from stdin`)),
    );
  }

  async finish(): Promise<void> {
    for (const { table } of this.tables.values()) await this.client.query(`alter table ${table} enable trigger user`);
    for (const statement of this.foreignKeys) await this.client.query(statement);
    for (const { name, sequences } of this.manifest.schemas) {
      for (const { name: sequence, value, is_called: isCalled } of sequences)
        await this.client.query('select setval($1::regclass, $2, $3)', [tableOf(name, sequence), value, isCalled]);
    }
    await this.resetOutboxes();
    await this.releaseJobs();
    await this.cancelMessages();
  }

  async analyse(): Promise<void> {
    await this.client.query(`analyze ${[...this.tables.values()].map(({ table }) => table).join(', ')}`);
  }

  private async requireSameShape(schema: Schema): Promise<void> {
    const existing = await readSchema(this.client, schema.name, restoredMigrations);
    const shape = ({ tables, sequences }: Schema) =>
      JSON.stringify([
        tables.map(({ name, columns }) => [name, ...columns.toSorted()].join(' ')).toSorted(),
        sequences.map(({ name }) => name).toSorted(),
      ]);
    if (shape(existing) === shape(schema)) return;
    throw new Refusal(
      fr`Les tables de cette archive (${schema.name}) ne sont pas celles que cette version de Vigie fait avec les mêmes migrations.`,
    );
  }

  private async dropForeignKeys(schema: string): Promise<void> {
    // With this search path, definitions contain qualified table names.
    await this.client.query('set local search_path to pg_catalog');
    const { rows } = await this.client.query<{ table: string; name: string; definition: string }>(
      `select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c where c.contype = 'f' and c.connamespace = $1::text::regnamespace`,
      [schema],
    );
    for (const { table, name, definition } of rows) {
      await this.client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`);
      this.foreignKeys.push(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`);
    }
  }

  /** Transaction ids of another server mean nothing here, so all events are read again; consumers tolerate it (decision 10). */
  private async resetOutboxes(): Promise<void> {
    for (const { name, tables } of this.manifest.schemas) {
      const hasTable = (table: string) => tables.some((candidate) => candidate.name === table);
      if (hasTable('outbox')) await this.client.query(`update ${tableOf(name, 'outbox')} set xid = '0'`);
      if (hasTable('outbox_cursors')) await this.client.query(`delete from ${tableOf(name, 'outbox_cursors')}`);
    }
  }

  /** Messages that waited when the backup was made say what was true then. */
  private async cancelMessages(): Promise<void> {
    const sites = this.manifest.schemas.find(({ name }) => name === 'sites');
    if (!sites?.tables.some(({ name }) => name === 'deliveries')) return;
    const error = 'Vigie a été restaurée avant l’envoi.';
    await this.client.query(
      `update sites.deliveries set state = 'cancelled', ended_at = now(), error = $1 where state = 'queued'`,
      [error],
    );
  }

  /**
   * An agent that claims a running job looks for it on its host, with a fence above all claims since the backup. A queued
   * job may have run or been cancelled since then, so sites-svc ends it as unknown when it starts.
   */
  private async releaseJobs(): Promise<void> {
    await this.client.query(
      `update sites.jobs set dispatched_at = null, lease_until = null, fence = fence + $1,
         not_before = case when state = 'queued' then 'infinity' else least(not_before, now()) end
       where state in ('queued', 'running') and not is_batch`,
      [fenceIncrease],
    );
  }
}
