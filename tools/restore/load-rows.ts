import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { restoredMigrations } from '@vigie/service-kit/migrate';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readSchema, tableOf } from '../backup/catalogue';
import type { Manifest, Schema } from '../backup/format';
import { Refusal, fr } from '../terminal';

type Table = { table: string; columns: readonly string[] };

/** More than anybody can have claimed one job since the backup was made. */
const beyondFences = 1_000_000;

/** Fills the schemas that the migrations of an archive have made: one transaction, that the caller begins and ends. */
export class Rows {
  private readonly foreignKeys: string[] = [];
  private readonly tables = new Map<string, Table>();

  constructor(
    private readonly client: Client,
    private readonly manifest: Manifest,
  ) {}

  /** Nothing follows from a row while it is put back: what followed from it is a row of the archive itself. */
  async begin(): Promise<void> {
    for (const schema of this.manifest.schemas) {
      await this.requireAlike(schema);
      for (const { name, columns } of schema.tables)
        this.tables.set(`rows/${schema.name}.${name}`, { table: tableOf(schema.name, name), columns });
      await this.setForeignKeysAside(schema.name);
    }
    const all = [...this.tables.values()].map(({ table }) => table);
    for (const table of all) await this.client.query(`alter table ${table} disable trigger user`);
    await this.client.query(`truncate ${all.join(', ')}`);
  }

  async fill(part: string, content: AsyncIterable<Buffer>): Promise<void> {
    const found = this.tables.get(part);
    if (!found) throw new Error(`the archive has no table ${part}`);
    const columns = found.columns.map((column) => escapeIdentifier(column)).join(', ');
    await pipeline(
      Readable.from(content, { objectMode: false }),
      this.client.query(copyFrom(`copy ${found.table} (${columns}) from stdin`)),
    );
  }

  async end(): Promise<void> {
    for (const { table } of this.tables.values()) await this.client.query(`alter table ${table} enable trigger user`);
    for (const statement of this.foreignKeys) await this.client.query(statement);
    for (const { name, sequences } of this.manifest.schemas) {
      for (const { name: sequence, value, is_called: isCalled } of sequences)
        await this.client.query('select setval($1::regclass, $2, $3)', [tableOf(name, sequence), value, isCalled]);
    }
    await this.beginOutboxes();
    await this.settleLedger();
  }

  async analyse(): Promise<void> {
    await this.client.query(`analyze ${[...this.tables.values()].map(({ table }) => table).join(', ')}`);
  }

  private async requireAlike(schema: Schema): Promise<void> {
    const made = await readSchema(this.client, schema.name, restoredMigrations);
    const shape = ({ tables, sequences }: Schema) =>
      JSON.stringify([
        tables.map(({ name, columns }) => [name, ...columns.toSorted()].join(' ')).toSorted(),
        sequences.map(({ name }) => name).toSorted(),
      ]);
    if (shape(made) === shape(schema)) return;
    throw new Refusal(
      fr`Les tables de cette archive (${schema.name}) ne sont pas celles que cette version de Vigie fait avec les mêmes migrations.`,
    );
  }

  private async setForeignKeysAside(schema: string): Promise<void> {
    // Without it the definitions would name tables that are found now and not later.
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

  /** Transactions of another server have other numbers: all is read again, which changes nothing (decision 10). */
  private async beginOutboxes(): Promise<void> {
    for (const { name, tables } of this.manifest.schemas) {
      const has = (table: string) => tables.some((known) => known.name === table);
      if (has('outbox')) await this.client.query(`update ${tableOf(name, 'outbox')} set xid = '0'`);
      if (has('outbox_cursors')) await this.client.query(`delete from ${tableOf(name, 'outbox_cursors')}`);
    }
  }

  /**
   * What had begun is looked for on its host by whoever claims it; nobody who claimed it after the backup was made has its
   * fence then. What waited may have been done or cancelled since: sites-svc ends it as unknown when it starts.
   */
  private async settleLedger(): Promise<void> {
    await this.client.query(
      `update sites.jobs set dispatched_at = null, lease_until = null, fence = fence + $1,
         not_before = case when state = 'queued' then 'infinity' else least(not_before, now()) end
       where state in ('queued', 'running') and not is_batch`,
      [beyondFences],
    );
  }
}
