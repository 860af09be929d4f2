import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings } from '../start/env';
import { isRoot } from '../start/server-storage';
import { copyOwner } from '../start/whole-file';
import { Refusal, fr, reasonOf, runTool } from '../terminal';
import { gather, type RemoteFolders } from './bundle';
import { tarGz } from './tar';

const help = fr`Rassemble ce qu’il faut à qui vous aide : versions, réglages sans secret, santé, comptes du registre des tâches, fin des journaux.

  npm run support [-- FICHIER.tar.gz] [--from DOSSIER] [--keys DOSSIER]

Vigie peut être arrêtée ou en panne. Donnez à la commande les mêmes variables qu’à npm start (VIGIE_HOME, DATABASE_URL…).
En conteneurs, --from lit ce que vous avez recueilli d’eux dans un dossier : gateway.log…, health.json, gateway.prom… ; --keys dit où
sont les fichiers de clés, pour que rien de ce qu’ils contiennent ne soit dit.
Adresses, noms d’hôtes, secrets et textes cités sont retirés des journaux ; lisez le contenu avant de l’envoyer.
`;

const options = { from: { type: 'string' }, keys: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;

await runTool(async () => {
  const { values, files } = parseArguments(process.argv.slice(2));
  if (values.help) console.log(help);
  else await write(files[0], values);
});

function parseArguments(args: string[]) {
  try {
    const { values, positionals: files } = parseArgs({ args, options, allowPositionals: true });
    if (files.length <= 1) return { values, files };
  } catch {
    // An unknown option prints the help, like too many arguments do.
  }
  throw new Refusal(help);
}

async function write(requestedFile: string | undefined, folders: RemoteFolders): Promise<void> {
  for (const folder of [folders.from, folders.keys]) requireReadable(folder);
  const now = new Date();
  const name = `vigie-support-${now.toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
  const path = resolve(requestedFile ?? `${name}.tar.gz`);
  const archive = tarGz(name, await gather(readSettings(), folders), now);
  try {
    writeNewFile(path, archive);
  } catch (error) {
    throw new Refusal(
      fr`Le fichier n’a pas pu être écrit : ${reasonOf(error)}. Donnez un autre nom, par exemple npm run support -- /tmp/${name}.tar.gz`,
    );
  }
  console.log(fr`${path} est écrit. Lisez-le avant de l’envoyer : tar -tzf ${path}`);
}

function requireReadable(folder: string | undefined): void {
  try {
    if (folder !== undefined) readdirSync(folder);
  } catch (error) {
    throw new Refusal(fr`${folder ?? ''} ne se laisse pas lire : ${reasonOf(error)}`);
  }
}

/** Gives the file to the owner of its folder, because in a container root writes into a folder of the host. */
function writeNewFile(path: string, bytes: Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, bytes);
    if (isRoot()) copyOwner(file, dirname(path));
  } finally {
    closeSync(file);
  }
}
