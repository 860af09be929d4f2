import { roleOf } from '@vigie/service-kit/database';
import { asideOf, migrationLock, restoredMigrations } from '@vigie/service-kit/migrate';
import { type Client, escapeIdentifier } from 'pg';
import { schemas, schemasThere } from '../backup/catalogue';
import { Refusal, fr } from '../start/console';

const names = schemas.map(({ name }) => name);

/** A service that is logged in goes on with what it knows, whatever becomes of its rows. */
export async function refuseRunning(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select distinct usename as name from pg_stat_activity where datname = current_database() and usename = any($1)',
    [names.map((schema) => roleOf(url, schema))],
  );
  if (rows.length === 0) return;
  throw new Refusal(
    fr`Vigie tourne encore sur cette base (${rows.map(({ name }) => name).join(', ')}) : arrêtez-la, puis recommencez.`,
  );
}

/** Held by one restore at a time, for as long as it is connected. */
const restoreLock = 7_316_003;

export async function refuseOther(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
    restoreLock,
  ]);
  if (!rows[0]?.is_mine) throw new Refusal(fr`Une autre restauration est en cours sur cette base.`);
}

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

  async clear(replace: string | undefined): Promise<void> {
    // Migrate steps of a restore that was killed may still be waiting for their turn.
    await this.client.query('select pg_advisory_lock($1)', [migrationLock]);
    await this.requireReplaceable(replace);
    const isUnfinished = await this.isUnfinished();
    await this.together(
      (await schemasThere(this.client)).map((schema) =>
        isUnfinished ? `drop schema ${schema} cascade` : `alter schema ${schema} rename to ${asideOf(schema)}`,
      ),
    );
    await this.client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }

  /** Whether what is there was left by a restore that did not come to its end. */
  async isUnfinished(): Promise<boolean> {
    const { rows } = await this.client.query(
      `select 1 from pg_namespace where nspname = any($1::text[])
       union all select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relname = $2 and n.nspname = any($3::text[])`,
      [names.map(asideOf), restoredMigrations, names],
    );
    return rows.length > 0;
  }

  /** In the transaction that brings the rows. */
  async forgetAside(): Promise<void> {
    for (const schema of names) await this.client.query(`drop schema if exists ${asideOf(schema)} cascade`);
  }

  async undo(): Promise<void> {
    await this.client.query('rollback');
    const { rows } = await this.client.query<{ name: string }>(
      'select nspname as name from pg_namespace where nspname = any($1::text[])',
      [names.map(asideOf)],
    );
    const there = await schemasThere(this.client);
    const back = names.filter((schema) => rows.some(({ name }) => name === asideOf(schema)));
    await this.together([
      ...there.map((schema) => `drop schema ${escapeIdentifier(schema)} cascade`),
      ...back.map((schema) => `alter schema ${asideOf(schema)} rename to ${schema}`),
    ]);
  }

  private async together(statements: readonly string[]): Promise<void> {
    await this.client.query(['begin', ...statements, 'commit'].join('; '));
  }
}
