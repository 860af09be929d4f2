import type { AuditFault } from '@vigie/service-kit/audit';
import type { Client } from 'pg';
import { databaseUrl, openDatabase } from '../database';
import { readSettings } from '../start/env';
import { findChains, verifyChain } from './chains';
import { Refusal, fr, reasonOf, runTool } from '../terminal';

const help = fr`Vérifie la chaîne du journal d’audit de chaque service : chaque ligne scelle celle d’avant.

  npm run audit    (la base de DATABASE_URL, sinon celle que npm start fait tourner)

La dernière empreinte, notée ailleurs, prouvera que rien n’a changé jusque-là. Le code de sortie est 1 si une chaîne est rompue.
`;

const maxFaults = 20;

const [option, ...rest] = process.argv.slice(2);

await runTool(async () => {
  if (option === '--help' || option === '-h') console.log(help);
  else if (option !== undefined || rest.length > 0) throw new Refusal(help);
  else await verify(databaseUrl(readSettings()));
});

async function verify(url: string): Promise<void> {
  const client = await openDatabase(url);
  try {
    const schemas = await findChains(client);
    if (schemas.length === 0)
      throw new Refusal(fr`Cette base ne contient aucun journal d’audit : est-ce celle de Vigie ?`);
    for (const schema of schemas) await verifySchema(client, schema);
  } finally {
    await client.end();
  }
}

async function verifySchema(client: Client, schema: string): Promise<void> {
  const { chained, pending, head, faults } = await verifyChain(client, schema).catch((error: unknown) => {
    throw new Refusal(fr`${schema} : le journal ne se laisse pas lire : ${reasonOf(error)}`);
  });
  console.log(fr`${schema} : ${chained} lignes dans la chaîne, ${pending} en attente, dernière empreinte ${head}`);
  if (faults.length === 0) return console.log(fr`${schema} : la chaîne est intacte.`);
  for (const fault of faults.slice(0, maxFaults)) console.error(fr`${schema} : chaîne rompue, ${describe(fault)}`);
  if (faults.length > maxFaults) console.error(fr`${schema} : et ${faults.length - maxFaults} autres.`);
  process.exitCode = 1;
}

function describe({ kind, lineId, seq }: AuditFault): string {
  const line = seq === null ? fr`la ligne ${lineId}` : fr`la ligne n° ${seq} (${lineId})`;
  const sentences = {
    changed: fr`${line} a été modifiée.`,
    removed: fr`${line} a été supprimée.`,
    cut: fr`ce qui précédait ${line} a été retiré de la chaîne.`,
    outside: fr`${line} n’est ni dans la chaîne ni en attente.`,
    lost: fr`${line} a été supprimée avant d’être enchaînée.`,
  };
  return sentences[kind];
}
