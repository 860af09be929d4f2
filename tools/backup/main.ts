import { join, resolve } from 'node:path';
import { openStore } from '@vigie/files/open-store';
import { databaseUrl, openDatabase } from '../audit/database';
import { Refusal, fr, reasonOf, say } from '../start/console';
import { readSettings } from '../start/env';
import { storeUrl } from '../start/services';
import { backUp } from './back-up';
import { readAsked, readNewPassphrase } from './options';
import { Snapshot } from './snapshot';
import { ArchiveWriter, writeNewFile } from './write-archive';

const help = fr`Sauvegarde toute Vigie dans un fichier, pendant qu’elle tourne : bases, clés et archives du stockage.

  npm run backup -- FICHIER [--keys DOSSIER]

Le fichier contient les clés, donc tout ce que Vigie peut ouvrir : gardez-le comme elles. Une phrase secrète le chiffre,
et c’est recommandé : VIGIE_BACKUP_PASSPHRASE, ou VIGIE_BACKUP_PASSPHRASE_FILE pour la lire d’un fichier.

La base est celle de DATABASE_URL, sinon celle que npm start fait tourner ; le stockage, celui de VIGIE_STORE ; les clés,
celles de VIGIE_HOME/keys, sinon celles de --keys. npm run restore remet tout en place.
`;

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<void> {
  const asked = readAsked(args, { help, options: ['--keys'] });
  if (!asked) return console.log(help);
  const settings = readSettings();
  const passphrase = readNewPassphrase(settings.given);
  const keys = resolve(asked.options.get('--keys') ?? join(settings.home, 'keys'));
  const client = await openDatabase(databaseUrl(settings));
  // A connection that is lost fails the next query.
  client.on('error', () => undefined);
  try {
    const snapshot = await Snapshot.take(client, keys);
    const store = await openStore(storeUrl(settings));
    await writeNewFile(asked.file, async (file) => {
      await backUp(await ArchiveWriter.begin(file, passphrase), snapshot, store, say);
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(fr`La sauvegarde a échoué, et rien n’a été gardé : ${reasonOf(error)}`);
  } finally {
    await client.end().catch(() => undefined);
  }
  say(fr`Sauvegarde écrite : ${asked.file}`);
  if (passphrase === undefined)
    say(fr`Elle n’est pas chiffrée et contient les clés de Vigie : seul vous devez pouvoir la lire.`);
}
