import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { generateKeys, generatePepper, processes } from '@vigie/service-kit/keys';
import { Refusal, fr } from '../terminal';
import { writeWhole } from './whole-file';

export const keyFile = (folder: string, name: string) => join(folder, `${name}.json`);

/** Made once: new keys would lock the product out of what it sealed. They belong together, so all of them or none. */
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
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  writeKeys(made);
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}

/** Key files of an earlier release have none yet; nothing else in them changes. */
function addPeppers(folder: string): void {
  for (const name of processes) {
    const file = keyFile(folder, name);
    const keys: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    if (keys['pepper'] !== undefined) continue;
    writeWhole(file, `${JSON.stringify({ ...keys, pepper: generatePepper() }, null, 2)}\n`);
  }
}

/** Writes one file a process, over none; gives their paths. */
export function writeKeys(folder: string): string[] {
  const there = processes.map((name) => keyFile(folder, name)).find((file) => existsSync(file));
  if (there !== undefined)
    throw new Refusal(
      fr`${there} existe déjà : rien n’a été écrit, car d’autres clés ne liraient plus ce qui est scellé.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return Object.entries(generateKeys()).map(([name, keys]) => {
    writeFileSync(keyFile(folder, name), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return keyFile(folder, name);
  });
}
