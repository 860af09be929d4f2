import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generateKeys, generatePepper, processes } from '@vigie/service-kit/keys';
import { Refusal, fr } from '../terminal';
import { writeWhole } from './whole-file';

export const keyFile = (folder: string, name: string) => join(folder, `${name}.json`);

/** Creates the keys of all processes once. New keys could not open what the old ones sealed, so none is replaced. */
export async function ensureKeys(home: string, holdsVigie: () => Promise<boolean>): Promise<void> {
  const folder = join(home, 'keys');
  const missing = processes.filter((name) => !existsSync(keyFile(folder, name)));
  if (missing.length === 0) return addPeppers(folder);
  if (missing.length < processes.length) {
    throw new Refusal(
      fr`Il manque à ${folder} les clés de ${missing.join(', ')} : remettez-les depuis votre sauvegarde.`,
    );
  }
  if (await holdsVigie()) {
    const files = processes.map((name) => basename(keyFile(folder, name))).join(', ');
    throw new Refusal(
      fr`La base contient déjà une Vigie, et ${folder} n’a aucune clé : de nouvelles n’ouvriraient rien de ce qu’elle a scellé, et rien n’a été touché. Remettez-y ${files} depuis votre sauvegarde, ou toute cette Vigie par npm run restore ; pour une nouvelle Vigie, donnez une base vide par DATABASE_URL, ou un autre VIGIE_HOME.`,
    );
  }
  const newFolder = `${folder}.new`;
  rmSync(newFolder, { recursive: true, force: true });
  writeKeys(newFolder);
  rmSync(folder, { recursive: true, force: true });
  renameSync(newFolder, folder);
}

/** Adds the pepper that key files of an earlier release lack. */
function addPeppers(folder: string): void {
  for (const name of processes) {
    const file = keyFile(folder, name);
    const keys: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    if (keys['pepper'] !== undefined) continue;
    writeWhole(file, `${JSON.stringify({ ...keys, pepper: generatePepper() }, null, 2)}\n`);
  }
}

/** Writes one new file per process, and returns their paths. */
export function writeKeys(folder: string): string[] {
  const existing = processes.map((name) => keyFile(folder, name)).find((file) => existsSync(file));
  if (existing !== undefined)
    throw new Refusal(
      fr`${existing} existe déjà : rien n’a été écrit, car d’autres clés ne liraient plus ce qui est scellé.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return Object.entries(generateKeys()).map(([name, keys]) => {
    writeFileSync(keyFile(folder, name), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return keyFile(folder, name);
  });
}
