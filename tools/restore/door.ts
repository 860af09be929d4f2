import { roleOf } from '@vigie/service-kit/database';
import { type Client, escapeIdentifier } from 'pg';
import { schemas } from '../backup/catalogue';
import { Refusal, fr } from '../terminal';

/** Held by one restore at a time, for as long as it is connected. */
const restoreLock = 7_316_003;

export async function refuseOther(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
    restoreLock,
  ]);
  if (!rows[0]?.is_mine) throw new Refusal(fr`Une autre restauration est en cours sur cette base.`);
}

/** Where services log in. A state folder has one starter at a time; a service elsewhere is kept out here alone. */
export class Door {
  private readonly roles: readonly string[];

  constructor(
    private readonly client: Client,
    url: string,
  ) {
    this.roles = schemas.map(({ name }) => roleOf(url, name));
  }

  /** A service that is logged in goes on with what it knows, whatever becomes of its rows. */
  async refuseRunning(): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      'select distinct usename as name from pg_stat_activity where datname = current_database() and usename = any($1)',
      [this.roles],
    );
    if (rows.length === 0) return;
    throw new Refusal(
      fr`Vigie tourne encore sur cette base (${rows.map(({ name }) => name).join(', ')}) : arrêtez-la, puis recommencez.`,
    );
  }

  /** Nobody comes in any more, and nobody is in. The migrate step opens it too. */
  async shut(): Promise<void> {
    await this.let('nologin');
    await this.refuseRunning();
  }

  async open(): Promise<void> {
    await this.let('login');
  }

  private async let(right: 'login' | 'nologin'): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      'select rolname as name from pg_roles where rolname = any($1)',
      [this.roles],
    );
    for (const { name } of rows) await this.client.query(`alter role ${escapeIdentifier(name)} ${right}`);
  }
}
