import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@vigie/service-kit/audit';
import { Client } from 'pg';
import { z } from 'zod';
import { Refusal, fr } from '../start/console';
import { readSettings } from '../start/env';

const Servers = z.object({ data: z.string(), passwords: z.object({ postgresql: z.string() }) });

const help = fr`Vérifie la chaîne du journal d’audit de chaque service : chaque ligne scelle celle d’avant.

  npm run audit    (la base de DATABASE_URL, sinon celle que npm start fait tourner)
`;

try {
  if (process.argv.length > 2) console.log(help);
  else await verify(databaseUrl());
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

async function verify(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string }>(
      "select table_schema as schema from information_schema.tables where table_name = 'audit_chain' order by 1",
    );
    for (const { schema } of rows) await verifySchema(client, schema);
  } finally {
    await client.end();
  }
}

async function verifySchema(client: Client, schema: string): Promise<void> {
  await client.query("select set_config('search_path', $1, false)", [schema]);
  const query = async <T>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as T[];
  const { chained, pending, head, faults } = await verifyAudit(query);
  console.log(fr`${schema} : ${chained} lignes dans la chaîne, ${pending} en attente, dernière empreinte ${head}`);
  if (faults.length === 0) return console.log(fr`${schema} : la chaîne est intacte.`);
  for (const fault of faults) console.error(fr`${schema} : chaîne rompue, ${fault}`);
  process.exitCode = 1;
}

/** The private server's port is where PostgreSQL itself notes it. */
function databaseUrl(): string {
  const { home, addresses } = readSettings();
  if (addresses.DATABASE_URL) return addresses.DATABASE_URL;
  const notes = join(home, 'servers.json');
  const noted = existsSync(notes) ? Servers.parse(JSON.parse(readFileSync(notes, 'utf8'))) : undefined;
  const pid = noted && join(noted.data, 'postgresql', 'postmaster.pid');
  if (!noted || !pid || !existsSync(pid)) {
    throw new Refusal(fr`Vigie ne tourne pas dans ${home} : lancez npm start, ou donnez DATABASE_URL.`);
  }
  const port = readFileSync(pid, 'utf8').split('\n')[3]?.trim() ?? '';
  return `postgres://postgres:${noted.passwords.postgresql}@127.0.0.1:${port}/vigie`;
}
