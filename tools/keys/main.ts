import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseUrl } from '../database';
import { type Settings, readSettings } from '../start/env';
import { findStarter } from '../start/home';
import { writeKeys } from '../start/keys';
import { Refusal, fr, runTool, say } from '../terminal';
import { rotate, type Rotation } from './rotate';
import { waitUntilResealed } from './sealed-values';

const help = fr`Écrit les clés d’un déploiement qui n’emploie pas npm start : un fichier par processus, lisible de lui seul.

  npm run keys [-- --out DOSSIER]            (par défaut : keys/)

Remplace les clés qui scellent mots de passe et secrets, sans arrêter Vigie ni rien perdre. Interrompue à n’importe
quel moment, la même commande reprend où elle en était.

  npm run keys -- rotate                     (celles de npm start, dans VIGIE_HOME)
  npm run keys -- rotate --in DOSSIER        (celles d’un autre déploiement)

Avec --in, chaque exécution fait une étape et dit quels fichiers porter aux processus avant la suivante ; la dernière
lit la base de DATABASE_URL. Vigie doit avoir été redémarrée depuis sa dernière mise à jour.

Code de sortie : 0 quand tout est fait, 3 quand la rotation attend que la commande soit relancée, 1 en cas d’erreur.
`;

const needsAnotherRun = 3;

await runTool(async () => {
  process.exitCode = await run(process.argv.slice(2));
});

async function run([first, ...rest]: readonly string[]): Promise<number> {
  if (first === 'rotate') return rotateKeys(parseFolder('--in', rest));
  if (first === '--help' || first === '-h') console.log(help);
  else writeKeyFiles(resolve(parseFolder('--out', first === undefined ? [] : [first, ...rest]) ?? 'keys'));
  return 0;
}

function parseFolder(option: string, args: readonly string[]): string | undefined {
  const [name, folder, ...rest] = args;
  if (name === undefined) return undefined;
  if (name !== option || folder === undefined || rest.length > 0) throw new Refusal(help);
  return folder;
}

function writeKeyFiles(target: string): void {
  for (const file of writeKeys(target)) console.log(file);
  console.log(
    fr`Donnez à chaque processus le sien, par VIGIE_KEYS_FILE, et gardez-en une copie sûre : ce qui est scellé ne s’ouvre qu’avec eux.`,
  );
}

async function rotateKeys(requestedFolder: string | undefined): Promise<number> {
  const settings = readSettings();
  const homeFolder = join(settings.home, 'keys');
  const folder = resolve(requestedFolder ?? homeFolder);
  if (!existsSync(folder)) throw new Refusal(fr`Il n’y a pas de clés dans ${folder}.`);
  const isCopied = !existsSync(homeFolder) || realpathSync(folder) !== realpathSync(homeFolder);
  const isResealed = isCopied ? checkAtAddress(settings) : checkInHome(settings);
  return (await rotate({ folder, isCopied, isResealed, log: say })) ? 0 : needsAnotherRun;
}

function checkAtAddress({ addresses: { DATABASE_URL: url } }: Settings): Rotation['isResealed'] {
  return async (retired, files) => {
    if (!url)
      throw new Refusal(
        fr`Donnez par DATABASE_URL l’adresse de la base : la rotation ne s’achève qu’une fois tout scellé à neuf.`,
      );
    await waitUntilResealed(url, files, { retired, log: say });
    return true;
  };
}

function checkInHome(settings: Settings): Rotation['isResealed'] {
  return async (retired, files) => {
    if (!findStarter(settings.home)) {
      say(
        fr`Vigie ne tourne pas : lancez npm start, puis relancez cette commande. La rotation s’achèvera quand les services auront tout scellé à neuf.`,
      );
      return false;
    }
    await waitUntilResealed(databaseUrl(settings), files, { retired, log: say });
    return true;
  };
}
