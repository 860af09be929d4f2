import { previousSchemaOf, migrationLock, restoredMigrations } from '@vigie/service-kit/migrate';
import { type Client, escapeIdentifier } from 'pg';
import { migrationsTable, schemas, findSchemas, tableOf } from '../backup/catalogue';
import { Refusal, fr } from '../terminal';

const schemaNames = schemas.map(({ name }) => name);

/** Replaces the schemas of a database: renames the previous ones until the restored ones are complete. */
export class SchemaSwap {
  constructor(private readonly client: Client) {}

  /** `replace` is the name of the database, which the operator types to confirm. */
  async requireReplaceable(replace: string | undefined): Promise<void> {
    if ((await findSchemas(this.client)).length === 0 || (await this.isUnfinished())) return;
    const { rows } = await this.client.query<{ name: string }>('select current_database() as name');
    const [{ name } = { name: '' }] = rows;
    if (replace === name) return;
    throw new Refusal(
      fr`La base ${name} contient déjà une Vigie : rien n’a été touché. Pour remplacer ce qu’elle contient, ajoutez --replace ${name}`,
    );
  }

  /** `disableLogins` disables the logins of services, after running migrate steps, which enable them. */
  async clear(replace: string | undefined, disableLogins: () => Promise<void>): Promise<void> {
    await this.withMigrationLock(async () => {
      await this.requireReplaceable(replace);
      await disableLogins();
      const isUnfinished = await this.isUnfinished();
      await this.runInTransaction(
        (await findSchemas(this.client)).map((schema) =>
          isUnfinished
            ? `drop schema ${schema} cascade`
            : `alter schema ${schema} rename to ${previousSchemaOf(schema)}`,
        ),
      );
    });
  }

  /** Whether the schemas were left by an interrupted restore, and so are not in use. */
  async isUnfinished(): Promise<boolean> {
    const { rows } = await this.client.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname = any($1::text[])
       union all select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relname = any($2::text[]) and n.nspname = any($3::text[])`,
      [schemaNames.map(previousSchemaOf), [restoredMigrations, migrationsTable], schemaNames],
    );
    return rows.length > 0 && rows.every(({ name }) => name !== migrationsTable);
  }

  /** Puts the restored schemas into use and drops the previous ones, in one transaction. */
  async finish(): Promise<void> {
    const [oldName, newName] = [restoredMigrations, migrationsTable];
    await this.runInTransaction([
      ...schemaNames.map((schema) => `alter table ${tableOf(schema, oldName)} rename to ${newName}`),
      ...schemaNames.map(
        (schema) => `alter sequence if exists ${tableOf(schema, `${oldName}_id_seq`)} rename to ${newName}_id_seq`,
      ),
      ...schemaNames.map((schema) => `drop schema if exists ${previousSchemaOf(schema)} cascade`),
      'insert into sites.restorations (at) values (now())',
    ]);
  }

  /** Fails if the connection is lost, because then the last transaction may have been committed. */
  async rollBack(): Promise<void> {
    await this.client.query('rollback');
  }

  async undo(): Promise<void> {
    await this.withMigrationLock(async () => {
      const { rows } = await this.client.query<{ name: string }>(
        'select nspname as name from pg_namespace where nspname = any($1::text[])',
        [schemaNames.map(previousSchemaOf)],
      );
      const existing = await findSchemas(this.client);
      const previous = schemaNames.filter((schema) => rows.some(({ name }) => name === previousSchemaOf(schema)));
      await this.runInTransaction([
        ...existing.map((schema) => `drop schema ${escapeIdentifier(schema)} cascade`),
        ...previous.map((schema) => `alter schema ${previousSchemaOf(schema)} rename to ${schema}`),
      ]);
    });
  }

  /** Killed migrate steps may still run on the server, or wait for this lock. */
  private async withMigrationLock(work: () => Promise<void>): Promise<void> {
    await this.client.query('select pg_advisory_lock($1)', [migrationLock]);
    await work();
    await this.client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }

  private async runInTransaction(statements: readonly string[]): Promise<void> {
    await this.client.query(['begin', ...statements, 'commit'].join('; '));
  }
}
