import { Client } from 'pg';
import { administrator } from './product';

/** Accounts have even numbers: nothing else about an address says whether it has one. */
export const addressOf = (number: number) => `personne-${`${number}`.padStart(6, '0')}@vigie.test`;
export const numberOfAccount = (index: number) => 2 * index;
export const numberOfNobody = (index: number) => 2 * index + 1;

/**
 * Accounts with the administrator's password, and its hash. Written directly: asked for one by one, each would cost a
 * hash.
 */
export async function addAccounts(databaseUrl: string, count: number): Promise<string> {
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=auth' });
  await client.connect();
  try {
    const { rows } = await client.query('select password_hash from users where email = $1', [administrator.email]);
    const hash = String(rows[0]?.password_hash);
    const addresses = Array.from({ length: count }, (_, index) => addressOf(numberOfAccount(index)));
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
