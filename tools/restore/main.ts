import { join, resolve } from 'node:path';
import type { FileStore } from '@vigie/files/file-store';
import { openStore } from '@vigie/files/open-store';
import { laterMigrations } from '@vigie/service-kit/migrate';
import { schemas } from '../backup/catalogue';
import { type Asked, readAsked, readPassphrase } from '../backup/options';
import { ArchiveReader } from '../backup/read-archive';
import { openDatabase } from '../database';
import { build } from '../start/build';
import { type Settings, readSettings } from '../start/env';
import { clearHome, takeHome } from '../start/home';
import { keyFile } from '../start/keys';
import { Lifecycle } from '../start/lifecycle';
import { startDatabase } from '../start/servers';
import { databaseServices, migrate, type Service, storeUrl } from '../start/services';
import { Refusal, counted, fr, reasonOf, say } from '../terminal';
import { Door, refuseOther } from './door';
import { KeyFolder } from './key-folder';
import { Place } from './place';
import { putBack, requireRoom } from './put-back';
import { type Verified, verifyArchive } from './verified';

const help = fr`Remet en place une Vigie entière depuis un fichier de npm run backup : bases, clés et archives du stockage.

  npm run restore -- FICHIER [--keys DOSSIER] [--replace NOM_DE_LA_BASE]

Vigie doit être arrêtée, et la base vide. --replace remplace ce qu’elle contient, si vous en donnez le nom exact. Tout le
fichier est vérifié avant que rien ne soit touché ; interrompue, la même commande recommence. Une archive chiffrée demande
sa phrase secrète par VIGIE_BACKUP_PASSPHRASE ou VIGIE_BACKUP_PASSPHRASE_FILE.

La base est celle de DATABASE_URL, sinon celle de VIGIE_HOME ; le stockage, celui de VIGIE_STORE ; les clés vont dans
VIGIE_HOME/keys, ou dans le dossier de --keys. npm start la démarre ensuite.
`;

type Target = Asked & { settings: Settings; keyFolder: string; passphrase: string | undefined; signal: AbortSignal };

await new Lifecycle('command').run(async ({ signal }) => {
  await run(process.argv.slice(2), signal);
  process.exit();
});

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const asked = readAsked(args, { help, options: ['--keys', '--replace'] });
  if (!asked) return console.log(help);
  const settings = readSettings();
  const passphrase = readPassphrase(settings.given);
  const verified = await verifyArchive(asked.file, passphrase, signal);
  const { made_at: madeAt, release, parts } = verified.manifest;
  say(fr`Archive vérifiée : Vigie ${release}, faite le ${madeAt}, ${counted(parts.length, 'partie', 'parties')}.`);
  const keyFolder = resolve(asked.options.get('--keys') ?? join(settings.home, 'keys'));
  await clearHome(settings.home, say);
  // For all of it: no start has this folder before its rows and its keys are of one moment.
  const leave = takeHome(settings.home, 'npm run restore');
  try {
    await restore({ ...asked, settings, keyFolder, passphrase, signal }, verified);
  } finally {
    leave();
  }
  say(fr`Tout est en place. npm start démarre Vigie ; npm run audit vérifie ensuite le journal d’audit.`);
  say(fr`Ce qui attendait d’être lancé sera marqué « inconnu » : relancez ce qui doit l’être encore.`);
  say(fr`Les fichiers du stockage d’avant cette restauration sont gardés 30 jours, même si plus rien ne les nomme.`);
}

async function restore(target: Target, verified: Verified): Promise<void> {
  const { settings, keyFolder, signal } = target;
  const { home, addresses } = settings;
  const { databaseUrl, stop } = await startDatabase({ home, log: say, addresses, signal });
  try {
    const store = await openStore(storeUrl(settings));
    await requireRoom(store, verified.manifest);
    const keys = new KeyFolder(keyFolder, home, verified.keys);
    await restoreInto(target, verified, { databaseUrl, store, keys });
    await migrateWith(target, databaseUrl).catch((error: unknown) => {
      throw new Refusal(
        fr`Tout est en place, mais les services n’ont pas encore leurs droits sur la base. Le prochain démarrage les donne, une fois réglé ceci : ${reasonOf(error)}`,
      );
    });
  } finally {
    await stop();
  }
}

type Means = { databaseUrl: string; store: FileStore; keys: KeyFolder };

async function restoreInto(target: Target, { manifest }: Verified, { databaseUrl, store, keys }: Means): Promise<void> {
  const { signal } = target;
  const client = await openDatabase(databaseUrl);
  // A connection that is lost fails the next query.
  client.on('error', () => undefined);
  const reader = await ArchiveReader.open(target.file, target.passphrase, signal);
  const [door, place] = [new Door(client, databaseUrl), new Place(client)];
  try {
    await refuseOther(client);
    await door.refuseRunning();
    await makeRoom(target, { door, place, keys });
    try {
      await migrateWith(target, databaseUrl, (name) => migrationsOf(manifest, name));
      await putBack(reader, manifest, { client, store, signal });
      await migrateWith(target, databaseUrl, () => laterMigrations);
      signal.throwIfAborted();
      keys.take();
      await place.finish();
    } catch (error) {
      throw await goBack({ door, place, keys }, error, signal);
    }
    keys.settle();
  } finally {
    await reader.close();
    await client.end().catch(() => undefined);
  }
}

type Replaced = { door: Door; place: Place; keys: KeyFolder };

/** Nothing is touched before all that may refuse has been asked. */
async function makeRoom(target: Target, { door, place, keys }: Replaced): Promise<void> {
  const replace = target.options.get('--replace');
  await place.requireReplaceable(replace);
  const isUnfinished = await place.isUnfinished();
  // Of a run that was killed: its keys are of its rows, which are the product's or are not.
  if (isUnfinished) keys.putBack();
  else keys.settle();
  if (replace === undefined && !isUnfinished) keys.requireFree();
  await build(say, target.settings.given, target.signal);
  try {
    await place.clear(replace, () => door.shut());
  } catch (error) {
    await door.open().catch(() => undefined);
    throw error;
  }
}

async function goBack({ door, place, keys }: Replaced, error: unknown, signal: AbortSignal): Promise<Refusal> {
  try {
    await place.giveUp();
    // While the rows are nobody's yet.
    keys.putBack();
    await place.undo();
    await door.open();
    // What was called off fails in its own words: a command that was ended, a connection that was closed.
    if (signal.aborted) return new Refusal(fr`La restauration est interrompue, et tout est comme avant.`);
    return new Refusal(fr`La restauration a échoué, et tout est comme avant : ${reasonOf(error)}`);
  } catch {
    return new Refusal(
      fr`La restauration s’est interrompue (${reasonOf(error)}). Relancez la même commande : elle recommencera.`,
    );
  }
}

function migrationsOf({ schemas: all }: Verified['manifest'], service: Service): string | undefined {
  const own = schemas.find((schema) => schema.service === service)?.name;
  return all.find(({ name }) => name === own)?.migrations.join(',');
}

/** Which migrations a service is to run, where they are not those of a start. */
type Which = (service: Service) => string | undefined;

function migrateWith({ settings, keyFolder }: Target, databaseUrl: string, which: Which = () => undefined) {
  const servers = { databaseUrl, redisUrl: '', natsUrl: '' };
  return migrate({ settings, port: 0, servers }, databaseServices, (service) => ({
    VIGIE_KEYS_FILE: keyFile(keyFolder, service),
    VIGIE_RESTORED_MIGRATIONS: which(service),
  }));
}
