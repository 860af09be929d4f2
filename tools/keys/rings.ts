import { existsSync, readFileSync } from 'node:fs';
import type { Caller } from '@vigie/contracts/contract';
import { KeyFile, generateOpener, processes, readKeys, sealerOf } from '@vigie/service-kit/keys';
import { keyFile } from '../start/keys';
import { writeWhole } from '../start/whole-file';
import { Refusal, fr, reasonOf } from '../terminal';

export type Write = typeof writeWhole;
export type KeyFiles = Record<Caller, KeyFile>;
type Rings = Pick<KeyFile, 'opens' | 'readers'>;

/** Reads the key files of all processes, and checks that each process can open what the others seal for it. */
export function readKeyFiles(folder: string): KeyFiles {
  const missing = processes.filter((name) => !existsSync(keyFile(folder, name)));
  if (missing.length > 0) throw new Refusal(fr`Il manque à ${folder} les clés de ${missing.join(', ')}.`);
  const files = forEachProcess((name) => readKeyFile(folder, name));
  for (const sealer of processes)
    for (const reader of processes) requireMatchingPair(folder, files, { sealer, reader });
  return files;
}

/** Adds a new private key to every process that has none yet. No process may use it before all of them have theirs. */
export function addPrivateKeys(folder: string, retired: ReadonlySet<string>, write: Write): number {
  return updateRings(folder, write, ({ opens, readers }) => {
    const isOld = opens.slice(0, 1).every(({ kid }) => retired.has(kid));
    return { opens: isOld ? [generateOpener(), ...opens] : opens, readers };
  });
}

/** Makes all processes seal with the new keys; values that were sealed with the old ones still open. */
export function activateNewKeys(folder: string, write: Write): number {
  const files = readKeyFiles(folder);
  const newest = forEachProcess((name) => files[name].opens.slice(0, 1).map(sealerOf));
  return updateRings(folder, write, ({ opens, readers }) => {
    const rings = forEachProcess((name) => {
      const older = readers[name].filter(({ kid }) => kid !== newest[name][0]?.kid);
      return [...newest[name], ...older];
    });
    return { opens, readers: rings };
  });
}

/** Removes the old keys. No sealed value may need them any more. */
export function retireKeys(folder: string, retired: ReadonlySet<string>, write: Write): number {
  const isCurrent = ({ kid }: { kid: string }) => !retired.has(kid);
  return updateRings(folder, write, ({ opens, readers }) => ({
    opens: opens.filter(isCurrent),
    readers: forEachProcess((name) => readers[name].filter(isCurrent)),
  }));
}

export const kidsOf = (files: KeyFiles): string[] =>
  Object.values(files).flatMap(({ opens, readers }) => [opens, ...Object.values(readers)].flat().map(({ kid }) => kid));

/** Writes the files whose rings change, and returns how many. */
function updateRings(folder: string, write: Write, next: (rings: Rings) => Rings): number {
  const files = readKeyFiles(folder);
  const changed = processes.filter((name) => {
    const { opens, readers } = files[name];
    const rings = next({ opens, readers });
    if (ringsText(rings) === ringsText({ opens, readers })) return false;
    const file = keyFile(folder, name);
    // Keeps fields that this release does not know.
    const content = { ...JSON.parse(readFileSync(file, 'utf8')), ...rings };
    KeyFile.parse(content);
    write(file, `${JSON.stringify(content, null, 2)}\n`);
    return true;
  });
  return changed.length;
}

const ringsText = ({ opens, readers }: Rings) =>
  JSON.stringify([opens, ...processes.map((name) => readers[name])].map((ring) => ring.map(({ kid }) => kid)));

function readKeyFile(folder: string, name: Caller): KeyFile {
  try {
    return readKeys(keyFile(folder, name), name);
  } catch (error) {
    throw new Refusal(fr`Les clés de ${name} ne se laissent pas lire : ${reasonOf(error)}`);
  }
}

/** The first key of a ring seals; its reader may have dropped older ones already. */
function requireMatchingPair(
  folder: string,
  files: KeyFiles,
  { sealer, reader }: { sealer: Caller; reader: Caller },
): void {
  const [sealingKey] = files[sealer].readers[reader];
  const canOpen = files[reader].opens.some(({ kid, x }) => kid === sealingKey?.kid && x === sealingKey.x);
  if (canOpen && files[sealer].instance === files[reader].instance) return;
  throw new Refusal(
    fr`Dans ${folder}, ${reader} n’ouvre pas ce que ${sealer} scelle pour lui : ces fichiers ne vont pas ensemble. Remettez ceux d’une même sauvegarde.`,
  );
}

const forEachProcess = <T>(make: (name: Caller) => T) =>
  Object.fromEntries(processes.map((name) => [name, make(name)])) as Record<Caller, T>;
