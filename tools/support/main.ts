import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Refusal, fr, reasonOf } from '../start/console';
import { readSettings } from '../start/env';
import { gather } from './bundle';
import { tarGz } from './tar';

const help = fr`Rassemble ce qu’il faut à qui vous aide : versions, réglages sans secret, santé, comptes du registre des tâches, fin des journaux.

  npm run support [-- FICHIER.tar.gz]

Vigie peut être arrêtée ou en panne. Donnez à la commande les mêmes variables qu’à npm start (VIGIE_HOME, DATABASE_URL…).
Adresses, noms d’hôtes, secrets et textes cités sont retirés des journaux ; lisez le contenu avant de l’envoyer.
`;

const [file, ...rest] = process.argv.slice(2);

try {
  if (file === '--help' || file === '-h') console.log(help);
  else if (file?.startsWith('-') || rest.length > 0) throw new Refusal(help);
  else await write(file);
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

async function write(given: string | undefined): Promise<void> {
  const now = new Date();
  const name = `vigie-support-${now.toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
  const path = resolve(given ?? `${name}.tar.gz`);
  const archive = tarGz(name, await gather(readSettings()), now);
  try {
    writeFileSync(path, archive, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Refusal(
      fr`Le fichier n’a pas pu être écrit : ${reasonOf(error)}. Donnez un autre nom, par exemple npm run support -- /tmp/${name}.tar.gz`,
    );
  }
  console.log(fr`${path} est écrit. Lisez-le avant de l’envoyer : tar -tzf ${path}`);
}
