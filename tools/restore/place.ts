import { previousSchemaOf, migrationLock, restoredMigrations } from '@vigie/service-kit/migrate';
import { type Client, escapeIdentifier } from 'pg';
import { migrationsTable, schemas, schemasThere, tableOf } from '../backup/catalogue';
import { Refusal, fr } from '../terminal';

const names = schemas.map(({ name }) => name);

/** Where the schemas of an archive are to be: empty, or what was there renamed until all of it is back. */
export class Place {
  constructor(private readonly client: Client) {}

  /** `replace`: the name of the database, as somebody typed it who wants what it holds replaced. */
  async requireReplaceable(replace: string | undefined): Promise<void> {
    if ((await schemasThere(this.client)).length === 0 || (await this.isUnfinished())) return;
    const { rows } = await this.client.query<{ name: string }>('select current_database() as name');
    const [{ name } = { name: '' }] = rows;
    if (replace === name) return;
    throw new Refusal(
      fr`La base ${name} contient déjà une Vigie : rien n’a été touché. Pour remplacer ce qu’elle contient, ajoutez --replace ${name}`,
    );
  }

  /** `shut`: keeps services out, which a migrate step would let in. */
  async clear(replace: string | undefined, shut: () => Promise<void>): Promise<void> {
    await this.alone(async () => {
      await this.requireReplaceable(replace);
      await shut();
      const isUnfinished = await this.isUnfinished();
      await this.together(
        (await schemasThere(this.client)).map((schema) =>
          isUnfinished
            ? `drop schema ${schema} cascade`
            : `alter schema ${schema} rename to ${previousSchemaOf(schema)}`,
        ),
      );
    });
  }

  /** Whether what is there was left by a restore that did not come to its end: then none of it is the product's. */
  async isUnfinished(): Promise<boolean> {
    const { rows } = await this.client.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname = any($1::text[])
       union all select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relname = any($2::text[]) and n.nspname = any($3::text[])`,
      [names.map(previousSchemaOf), [restoredMigrations, migrationsTable], names],
    );
    return rows.length > 0 && rows.every(({ name }) => name !== migrationsTable);
  }

  /** From here on what is there is the product's, and nothing of what it replaces is left. */
  async finish(): Promise<void> {
    const [was, is] = [restoredMigrations, migrationsTable];
    await this.together([
      ...names.map((schema) => `alter table ${tableOf(schema, was)} rename to ${is}`),
      ...names.map((schema) => `alter sequence if exists ${tableOf(schema, `${was}_id_seq`)} rename to ${is}_id_seq`),
      ...names.map((schema) => `drop schema if exists ${previousSchemaOf(schema)} cascade`),
      'insert into sites.restorations (at) values (now())',
    ]);
  }

  /** Ends what was under way; refused where the connection is lost, and with it the certainty that it has not ended well. */
  async giveUp(): Promise<void> {
    await this.client.query('rollback');
  }

  async undo(): Promise<void> {
    await this.alone(async () => {
      const { rows } = await this.client.query<{ name: string }>(
        'select nspname as name from pg_namespace where nspname = any($1::text[])',
        [names.map(previousSchemaOf)],
      );
      const there = await schemasThere(this.client);
      const back = names.filter((schema) => rows.some(({ name }) => name === previousSchemaOf(schema)));
      await this.together([
        ...there.map((schema) => `drop schema ${escapeIdentifier(schema)} cascade`),
        ...back.map((schema) => `alter schema ${previousSchemaOf(schema)} rename to ${schema}`),
      ]);
    });
  }

  /** Migrate steps that were killed may still be at work, or waiting for their turn. */
  private async alone(work: () => Promise<void>): Promise<void> {
    await this.client.query('select pg_advisory_lock($1)', [migrationLock]);
    await work();
    await this.client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }

  private async together(statements: readonly string[]): Promise<void> {
    await this.client.query(['begin', ...statements, 'commit'].join('; '));
  }
}
