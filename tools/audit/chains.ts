import { verifyAudit } from '@vigie/service-kit/audit';
import { type Client, escapeIdentifier } from 'pg';

/** Lists the schemas that have an audit chain, in a snapshot, because the services continue to write. */
export async function findChains(client: Client): Promise<string[]> {
  await client.query('begin transaction isolation level repeatable read read only');
  const { rows } = await client.query<{ schema: string }>(
    "select schemaname as schema from pg_tables where tablename = 'audit_chain' order by 1",
  );
  return rows.map(({ schema }) => schema);
}

export async function verifyChain(client: Client, schema: string) {
  const query = async <T>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as T[];
  await query(`set local search_path to ${escapeIdentifier(schema)}`);
  return verifyAudit(query);
}
