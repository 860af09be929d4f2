import { resolve } from 'node:path';
import { Refusal, fr } from '../start/console';
import { writeKeys } from '../start/keys';

const help = fr`Écrit les clés d’un déploiement qui n’emploie pas npm start : un fichier par processus, lisible de lui seul.

  npm run keys [-- --out DOSSIER]    (par défaut : keys/)
`;

const [option, folder = 'keys', ...rest] = process.argv.slice(2);

try {
  if (option === '--help' || option === '-h') console.log(help);
  else if ((option !== undefined && option !== '--out') || rest.length > 0) throw new Refusal(help);
  else write(resolve(folder));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

function write(target: string): void {
  for (const file of writeKeys(target)) console.log(file);
  console.log(
    fr`Donnez à chaque processus le sien, par VIGIE_KEYS_FILE, et gardez-en une copie sûre : ce qui est scellé ne s’ouvre qu’avec eux.`,
  );
}
