import { roleOf } from '@vigie/service-kit/database';
import { type Client, escapeIdentifier } from 'pg';
import { schemas } from '../backup/catalogue';
import { Refusal, fr } from '../terminal';

/** The advisory lock of a restore, which its connection holds. */
const restoreLock = 7_316_003;

export async function lockRestore(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
    restoreLock,
  ]);
  if (!rows[0]?.is_mine) throw new Refusal(fr`Une autre restauration est en cours sur cette base.`);
}

/** The logins of the services. The lock of the state folder does not stop services on other machines; this does. */
export class ServiceLogins {
  private readonly roles: readonly string[];

  constructor(
    private readonly client: Client,
    url: string,
  ) {
    this.roles = schemas.map(({ name }) => roleOf(url, name));
  }

  /** A service that stays connected would continue with what it read before, whatever happens to its rows. */
  async requireStopped(): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      'select distinct usename as name from pg_stat_activity where datname = current_database() and usename = any($1)',
      [this.roles],
    );
    if (rows.length === 0) return;
    throw new Refusal(
      fr`Vigie tourne encore sur cette base (${rows.map(({ name }) => name).join(', ')}) : arrêtez-la, puis recommencez.`,
    );
  }

  /** Disables the logins, then checks that no service is connected. A migrate step enables them again. */
  async disable(): Promise<void> {
    await this.alterRoles('nologin');
    await this.requireStopped();
  }

  async enable(): Promise<void> {
    await this.alterRoles('login');
  }

  private async alterRoles(attribute: 'login' | 'nologin'): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      'select rolname as name from pg_roles where rolname = any($1)',
      [this.roles],
    );
    for (const { name } of rows) await this.client.query(`alter role ${escapeIdentifier(name)} ${attribute}`);
  }
}
