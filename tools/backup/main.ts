import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openStore } from '@vigie/files/open-store';
import type { Client } from 'pg';
import { databaseUrl, openDatabase } from '../database';
import { type Settings, readSettings } from '../start/env';
import { findStarter, lockHome, requireFreeHome } from '../start/home';
import { Lifecycle } from '../start/lifecycle';
import { startDatabase } from '../start/servers';
import { storeUrl } from '../start/services';
import { Refusal, fr, reasonOf, say } from '../terminal';
import { backUp } from './back-up';
import { parseArguments, readNewPassphrase } from './options';
import { Snapshot } from './snapshot';
import { ArchiveWriter, writeNewFile } from './write-archive';

const help = fr`Sauvegarde toute Vigie dans un fichier, pendant qu’elle tourne : bases, clés et archives du stockage.

  npm run backup -- FICHIER [--keys DOSSIER]

Le fichier contient les clés, donc tout ce que Vigie peut ouvrir : gardez-le comme elles. Une phrase secrète le chiffre,
et c’est recommandé : VIGIE_BACKUP_PASSPHRASE, ou VIGIE_BACKUP_PASSPHRASE_FILE pour la lire d’un fichier.

La base est celle de DATABASE_URL, sinon celle de VIGIE_HOME, que Vigie tourne ou non ; le stockage, celui de VIGIE_STORE ; les clés,
celles de VIGIE_HOME/keys, sinon celles de --keys. npm run restore remet tout en place.
`;

await new Lifecycle('command').run(async ({ signal }) => {
  await run(process.argv.slice(2), signal);
  process.exit();
});

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const parsed = parseArguments(args, { help, options: ['--keys'] });
  if (!parsed) return console.log(help);
  const settings = readSettings();
  const passphrase = readNewPassphrase(settings.env);
  const keys = resolve(parsed.options.get('--keys') ?? join(settings.home, 'keys'));
  try {
    await write(parsed.file, { settings, passphrase, keys, signal });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      signal.aborted
        ? fr`Sauvegarde interrompue : rien n’a été gardé.`
        : fr`La sauvegarde a échoué, et rien n’a été gardé : ${reasonOf(error)}`,
    );
  }
  say(fr`Sauvegarde écrite : ${parsed.file}`);
  if (passphrase === undefined)
    say(fr`Elle n’est pas chiffrée et contient les clés de Vigie : seul vous devez pouvoir la lire.`);
}

type WriteOptions = { settings: Settings; passphrase: string | undefined; keys: string; signal: AbortSignal };

async function write(path: string, { settings, passphrase, keys, signal }: WriteOptions): Promise<void> {
  const { url, close } = await openDatabaseSource(settings, signal);
  try {
    await withDatabase(url, signal, async (client) => {
      const snapshot = await Snapshot.take(client, keys);
      const store = await openStore(storeUrl(settings));
      await writeNewFile(path, async (file) => {
        await backUp(await ArchiveWriter.begin(file, passphrase), snapshot, { store, log: say, signal });
      });
    });
  } finally {
    await close();
  }
}

type DatabaseSource = { url: string; close: () => Promise<void> };

/** Opens the database. If it belongs to a stopped `npm start`, runs it meanwhile and locks the state folder. */
async function openDatabaseSource(settings: Settings, signal: AbortSignal): Promise<DatabaseSource> {
  const { home, addresses } = settings;
  const isOwn = addresses.DATABASE_URL === undefined && existsSync(join(home, 'servers.json'));
  if (!isOwn || findStarter(home)) return { url: databaseUrl(settings), close: async () => undefined };
  await requireFreeHome(home, say);
  const releaseHome = lockHome(home, 'npm run backup');
  try {
    const { databaseUrl: url, stop } = await startDatabase({ home, log: say, addresses, signal });
    return { url, close: () => stop().finally(releaseHome) };
  } catch (error) {
    releaseHome();
    throw error;
  }
}

async function withDatabase(url: string, signal: AbortSignal, work: (client: Client) => Promise<void>): Promise<void> {
  const client = await openDatabase(url);
  // A lost connection makes the next query fail.
  client.on('error', () => undefined);
  const disconnect = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', disconnect);
  try {
    await work(client);
  } finally {
    signal.removeEventListener('abort', disconnect);
    await client.end().catch(() => undefined);
  }
}
