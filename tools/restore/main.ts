import { join, resolve } from 'node:path';
import type { FileStore } from '@vigie/files/file-store';
import { openStore } from '@vigie/files/open-store';
import { openDatabase } from '../audit/database';
import { schemas } from '../backup/catalogue';
import { type Asked, readAsked, readPassphrase } from '../backup/options';
import { ArchiveReader } from '../backup/read-archive';
import { build } from '../start/build';
import { Refusal, fr, reasonOf, say } from '../start/console';
import { type Settings, readSettings } from '../start/env';
import { clearHome, takeHome } from '../start/home';
import { keyFile } from '../start/keys';
import { Lifecycle } from '../start/lifecycle';
import { startDatabase } from '../start/servers';
import { databaseServices, migrate, type Service, storeUrl } from '../start/services';
import { KeyFolder } from './key-folder';
import { Place, refuseOther, refuseRunning } from './place';
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

await new Lifecycle().run(async ({ signal }) => {
  await run(process.argv.slice(2), signal);
  process.exit();
});

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const asked = readAsked(args, { help, options: ['--keys', '--replace'] });
  if (!asked) return console.log(help);
  const settings = readSettings();
  const passphrase = readPassphrase(settings.given);
  const verified = await verifyArchive(asked.file, passphrase);
  const { made_at: madeAt, release, parts } = verified.manifest;
  say(fr`Archive vérifiée : Vigie ${release}, faite le ${madeAt}, ${parts.length} parties.`);
  const keyFolder = resolve(asked.options.get('--keys') ?? join(settings.home, 'keys'));
  await clearHome(settings.home, say);
  const leave = takeHome(settings.home, 'npm run restore');
  try {
    await restore({ ...asked, settings, keyFolder, passphrase, signal }, verified);
  } finally {
    leave();
  }
  say(fr`Tout est en place. npm start démarre Vigie ; npm run audit vérifie ensuite le journal d’audit.`);
  say(fr`Ce qui attendait d’être lancé sera marqué « inconnu » : relancez ce qui doit l’être encore.`);
}

async function restore(target: Target, verified: Verified): Promise<void> {
  const { settings, keyFolder, signal } = target;
  const { home, addresses } = settings;
  const { databaseUrl, stop } = await startDatabase({ home, log: say, addresses, signal });
  try {
    const store = await openStore(storeUrl(settings));
    await requireRoom(store, verified.manifest);
    const keys = new KeyFolder(keyFolder, verified.keys);
    await restoreInto(target, verified, { databaseUrl, store, keys }).finally(() => keys.discard());
    await migrateWith(target, databaseUrl, (service) => ({ VIGIE_KEYS_FILE: keyFile(keyFolder, service) }));
  } finally {
    await stop();
  }
}

type Means = { databaseUrl: string; store: FileStore; keys: KeyFolder };

async function restoreInto(target: Target, { manifest }: Verified, { databaseUrl, store, keys }: Means): Promise<void> {
  const client = await openDatabase(databaseUrl);
  // A connection that is lost fails the next query.
  client.on('error', () => undefined);
  const reader = await ArchiveReader.open(target.file, target.passphrase);
  const place = new Place(client);
  try {
    await refuseOther(client);
    await refuseRunning(client, databaseUrl);
    const replace = target.options.get('--replace');
    await place.requireReplaceable(replace);
    if (replace === undefined && !(await place.isUnfinished())) keys.requireFree();
    await build(say, target.settings.given, target.signal);
    await place.clear(replace);
    try {
      const namesOf = new Map<Service, string | undefined>(
        schemas.map(({ service, name }) => [service, migrationsOf(manifest, name)]),
      );
      await migrateWith(target, databaseUrl, (service) => ({
        VIGIE_KEYS_FILE: keyFile(keys.staged, service),
        VIGIE_RESTORED_MIGRATIONS: namesOf.get(service),
      }));
      await putBack(reader, manifest, { client, store, place, signal: target.signal });
    } catch (error) {
      throw await goBack(place, error);
    }
    keys.take();
    await client.query('commit').catch((error: unknown) => {
      throw unfinished(error);
    });
  } finally {
    await reader.close();
    await client.end().catch(() => undefined);
  }
}

async function goBack(place: Place, error: unknown): Promise<Refusal> {
  const isBack = await place.undo().then(
    () => true,
    () => false,
  );
  return isBack
    ? new Refusal(fr`La restauration a échoué, et la base est comme avant : ${reasonOf(error)}`)
    : unfinished(error);
}

function unfinished(error: unknown): Refusal {
  return new Refusal(
    fr`La restauration s’est interrompue (${reasonOf(error)}). Relancez la même commande : elle recommencera.`,
  );
}

function migrationsOf({ schemas: all }: Verified['manifest'], name: string): string | undefined {
  return all.find((schema) => schema.name === name)?.migrations.join(',');
}

function migrateWith({ settings }: Target, databaseUrl: string, more: (service: Service) => NodeJS.ProcessEnv) {
  const servers = { databaseUrl, redisUrl: '', natsUrl: '' };
  return migrate({ settings, port: 0, servers }, databaseServices, more);
}
