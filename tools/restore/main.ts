import { join, resolve } from 'node:path';
import type { FileStore } from '@vigie/files/file-store';
import { openStore } from '@vigie/files/open-store';
import { laterMigrations } from '@vigie/service-kit/migrate';
import { schemas } from '../backup/catalogue';
import { type CommandArguments, parseArguments, readPassphrase } from '../backup/options';
import { ArchiveReader } from '../backup/read-archive';
import { openDatabase } from '../database';
import { build } from '../start/build';
import { type Settings, readSettings } from '../start/env';
import { requireFreeHome, lockHome } from '../start/home';
import { keyFile } from '../start/keys';
import { Lifecycle } from '../start/lifecycle';
import { startDatabase } from '../start/servers';
import { databaseServices, migrate, type Service, storeUrl } from '../start/services';
import { Refusal, formatCount, fr, reasonOf, say } from '../terminal';
import { ServiceLogins, lockRestore } from './service-logins';
import { KeyFolder } from './key-folder';
import { SchemaSwap } from './schema-swap';
import { loadArchive, requireFreeSpace } from './load-archive';
import { type VerifiedArchive, verifyArchive } from './verify-archive';

const help = fr`Remet en place une Vigie entière depuis un fichier de npm run backup : bases, clés et archives du stockage.

  npm run restore -- FICHIER [--keys DOSSIER] [--replace NOM_DE_LA_BASE]

Vigie doit être arrêtée, et la base vide. --replace remplace ce qu’elle contient, si vous en donnez le nom exact. Tout le
fichier est vérifié avant que rien ne soit touché ; interrompue, la même commande recommence. Une archive chiffrée demande
sa phrase secrète par VIGIE_BACKUP_PASSPHRASE ou VIGIE_BACKUP_PASSPHRASE_FILE.

La base est celle de DATABASE_URL, sinon celle de VIGIE_HOME ; le stockage, celui de VIGIE_STORE ; les clés vont dans
VIGIE_HOME/keys, ou dans le dossier de --keys. npm start la démarre ensuite.
`;

type RestoreOptions = CommandArguments & {
  settings: Settings;
  keyFolder: string;
  passphrase: string | undefined;
  signal: AbortSignal;
};

await new Lifecycle('command').run(async ({ signal }) => {
  await run(process.argv.slice(2), signal);
  process.exit();
});

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const parsed = parseArguments(args, { help, options: ['--keys', '--replace'] });
  if (!parsed) return console.log(help);
  const settings = readSettings();
  const passphrase = readPassphrase(settings.env);
  const verified = await verifyArchive(parsed.file, passphrase, signal);
  const { made_at: madeAt, release, parts } = verified.manifest;
  say(fr`Archive vérifiée : Vigie ${release}, faite le ${madeAt}, ${formatCount(parts.length, 'partie', 'parties')}.`);
  const keyFolder = resolve(parsed.options.get('--keys') ?? join(settings.home, 'keys'));
  await requireFreeHome(settings.home, say);
  // Locked throughout, so that nothing starts from this folder while its rows and keys do not match.
  const unlockHome = lockHome(settings.home, 'npm run restore');
  try {
    await restore({ ...parsed, settings, keyFolder, passphrase, signal }, verified);
  } finally {
    unlockHome();
  }
  say(fr`Tout est en place. npm start démarre Vigie ; npm run audit vérifie ensuite le journal d’audit.`);
  say(fr`Ce qui attendait d’être lancé sera marqué « inconnu » : relancez ce qui doit l’être encore.`);
  say(fr`Les fichiers du stockage d’avant cette restauration sont gardés 30 jours, même si plus rien ne les nomme.`);
}

async function restore(options: RestoreOptions, verified: VerifiedArchive): Promise<void> {
  const { settings, keyFolder, signal } = options;
  const { home, addresses } = settings;
  const { databaseUrl, stop } = await startDatabase({ home, log: say, addresses, signal });
  try {
    const store = await openStore(storeUrl(settings));
    await requireFreeSpace(store, verified.manifest);
    const keys = new KeyFolder(keyFolder, home, verified.keys);
    await restoreInto(options, verified, { databaseUrl, store, keys });
    await runMigrations(options, databaseUrl).catch((error: unknown) => {
      throw new Refusal(
        fr`Tout est en place, mais les services n’ont pas encore leurs droits sur la base. Le prochain démarrage les donne, une fois réglé ceci : ${reasonOf(error)}`,
      );
    });
  } finally {
    await stop();
  }
}

type RestoreTargets = { databaseUrl: string; store: FileStore; keys: KeyFolder };

async function restoreInto(
  options: RestoreOptions,
  { manifest }: VerifiedArchive,
  { databaseUrl, store, keys }: RestoreTargets,
): Promise<void> {
  const { signal } = options;
  const client = await openDatabase(databaseUrl);
  // A lost connection makes the next query fail.
  client.on('error', () => undefined);
  const reader = await ArchiveReader.open(options.file, options.passphrase, signal);
  const [logins, schemaSwap] = [new ServiceLogins(client, databaseUrl), new SchemaSwap(client)];
  try {
    await lockRestore(client);
    await logins.requireStopped();
    await clearDatabase(options, { logins, schemaSwap, keys });
    try {
      await runMigrations(options, databaseUrl, (name) => archivedMigrations(manifest, name));
      await loadArchive(reader, manifest, { client, store, signal });
      await runMigrations(options, databaseUrl, () => laterMigrations);
      signal.throwIfAborted();
      keys.install();
      await schemaSwap.finish();
    } catch (error) {
      throw await undoRestore({ logins, schemaSwap, keys }, error, signal);
    }
    keys.keepPrevious();
  } finally {
    await reader.close();
    await client.end().catch(() => undefined);
  }
}

type SwapParts = { logins: ServiceLogins; schemaSwap: SchemaSwap; keys: KeyFolder };

/** Makes all checks before it changes anything. */
async function clearDatabase(options: RestoreOptions, { logins, schemaSwap, keys }: SwapParts): Promise<void> {
  const replace = options.options.get('--replace');
  await schemaSwap.requireReplaceable(replace);
  const isUnfinished = await schemaSwap.isUnfinished();
  // A killed run has left its previous keys: they belong to the previous rows, which are either restored or replaced.
  if (isUnfinished) keys.restorePrevious();
  else keys.keepPrevious();
  if (replace === undefined && !isUnfinished) keys.requireNoOtherKeys();
  await build(say, options.settings.env, options.signal);
  try {
    await schemaSwap.clear(replace, () => logins.disable());
  } catch (error) {
    await logins.enable().catch(() => undefined);
    throw error;
  }
}

async function undoRestore(
  { logins, schemaSwap, keys }: SwapParts,
  error: unknown,
  signal: AbortSignal,
): Promise<Refusal> {
  try {
    await schemaSwap.rollBack();
    // Keys are restored before rows, while no service uses the rows.
    keys.restorePrevious();
    await schemaSwap.undo();
    await logins.enable();
    // After an abort the error is only a consequence: a killed command or a closed connection.
    if (signal.aborted) return new Refusal(fr`La restauration est interrompue, et tout est comme avant.`);
    return new Refusal(fr`La restauration a échoué, et tout est comme avant : ${reasonOf(error)}`);
  } catch {
    return new Refusal(
      fr`La restauration s’est interrompue (${reasonOf(error)}). Relancez la même commande : elle recommencera.`,
    );
  }
}

function archivedMigrations(
  { schemas: archivedSchemas }: VerifiedArchive['manifest'],
  service: Service,
): string | undefined {
  const schemaName = schemas.find((schema) => schema.service === service)?.name;
  return archivedSchemas.find(({ name }) => name === schemaName)?.migrations.join(',');
}

/** The migrations that a service must run; undefined for those of a normal start. */
type MigrationChoice = (service: Service) => string | undefined;

function runMigrations(
  { settings, keyFolder }: RestoreOptions,
  databaseUrl: string,
  migrationsFor: MigrationChoice = () => undefined,
) {
  const servers = { databaseUrl, redisUrl: '', natsUrl: '' };
  return migrate({ settings, port: 0, servers }, databaseServices, (service) => ({
    VIGIE_KEYS_FILE: keyFile(keyFolder, service),
    VIGIE_RESTORED_MIGRATIONS: migrationsFor(service),
  }));
}
