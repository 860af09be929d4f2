import { seedFleet } from '@vigie/testing/seed';
import { databaseUrl, openDatabase } from '../database';
import { readSettings } from '../start/env';
import { Refusal, fr, runTool } from '../terminal';
import { step } from '../trials';
import { readSizes, seedHelp } from './options';

await runTool(run);

async function run(): Promise<void> {
  const sizes = readSizes(process.argv.slice(2));
  if (!sizes) return console.log(seedHelp);
  step(fr`Ouvre la base de Vigie…`);
  const client = await openDatabase(databaseUrl(readSettings()));
  try {
    const { rows } = await client.query<{ id: string; email: string }>(
      "select id, email from auth.users where role = 'admin' order by created_at limit 1",
    );
    const [owner] = rows;
    if (!owner) throw new Refusal(fr`Cette base n’a pas encore d’administrateur : démarrez Vigie d’abord.`);
    step(fr`Crée ${sizes.sites} sites sur ${sizes.servers} serveurs…`);
    await client.query('begin');
    await seedFleet((sql, values) => client.query(sql, values), owner.id, sizes);
    await client.query('commit');
    console.log(
      fr`${sizes.sites} sites sur ${sizes.servers} serveurs, chacun avec ${sizes.plugins} extensions, appartiennent à ${owner.email}.`,
    );
  } finally {
    await client.end();
  }
}
