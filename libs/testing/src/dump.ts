import type { TestDatabase } from './database';

/** Every row of every table as text, by the name of its table. */
export async function dumpTables({ query }: Pick<TestDatabase, 'query'>): Promise<Map<string, string>> {
  const { rows: tables } = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await query<{ text: string }>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as text from ${name} t`,
    );
    dump.set(name, rows[0]?.text ?? '');
  }
  return dump;
}
