import { Client } from 'pg';
import { fr } from '../terminal';
import { administrator } from './product';
import { number } from './report';

/** Accounts have even numbers. Nothing else in an address shows whether an account exists. */
export const emailAddress = (account: number) => `personne-${`${account}`.padStart(6, '0')}@vigie.test`;
export const accountNumber = (index: number) => 2 * index;
export const unknownNumber = (index: number) => 2 * index + 1;

/**
 * Inserts accounts with the administrator's password and returns its hash. Rows are inserted directly because each
 * account created by the API would cost a hash.
 */
export async function addAccounts(databaseUrl: string, count: number): Promise<string> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=auth' });
  await client.connect();
  try {
    const { rows } = await client.query('select password_hash from users where email = $1', [administrator.email]);
    const hash = String(rows[0]?.password_hash);
    const addresses = Array.from({ length: count }, (_, index) => emailAddress(accountNumber(index)));
    await client.query(
      `insert into users (id, email, password_hash, role)
       select gen_random_uuid(), address, $2, 'client' from unnest($1::text[]) address`,
      [addresses, hash],
    );
    await client.query('vacuum analyze users');
    return hash;
  } finally {
    await client.end();
  }
}

export function describeHash(hash: string): string {
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash) ?? [];
  return fr`Argon2id : ${number(Number(memory) / 1024)} Mio, ${passes ?? '?'} passes, ${lanes ?? '?'} voie`;
}
