import { Redis } from 'ioredis';
import type { TestDatabase } from './database';

/** Dumps every row of every table as text, by table name. */
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

const readCommands: Record<string, (key: string) => [string, ...(string | number)[]]> = {
  string: (key) => ['get', key],
  hash: (key) => ['hgetall', key],
  list: (key) => ['lrange', key, 0, -1],
  set: (key) => ['smembers', key],
  zset: (key) => ['zrange', key, 0, -1],
  stream: (key) => ['xrange', key, '-', '+'],
};

/** Dumps all keys with a prefix and their values as text. */
export async function dumpRedis(url: string, prefix: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const lines = [];
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
      for (const key of keys as string[]) {
        const read = readCommands[await redis.type(key)]?.(key);
        lines.push(`${key} ${read ? JSON.stringify(await redis.call(...read)) : ''}`);
      }
    }
    return lines.join('\n');
  } finally {
    redis.disconnect();
  }
}
