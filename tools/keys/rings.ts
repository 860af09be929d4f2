import { existsSync, readFileSync } from 'node:fs';
import type { Caller } from '@vigie/contracts/contract';
import { KeyFile, generateOpener, processes, readKeys, sealerOf } from '@vigie/service-kit/keys';
import { keyFile } from '../start/keys';
import { writeWhole } from '../start/whole-file';
import { Refusal, fr, reasonOf } from '../terminal';

export type Write = typeof writeWhole;
export type KeyFiles = Record<Caller, KeyFile>;
type Rings = Pick<KeyFile, 'opens' | 'readers'>;

/** The files of all processes, which must belong together: what one of them seals, another one opens. */
export function readKeyFiles(folder: string): KeyFiles {
  const missing = processes.filter((name) => !existsSync(keyFile(folder, name)));
  if (missing.length > 0) throw new Refusal(fr`Il manque à ${folder} les clés de ${missing.join(', ')}.`);
  const files = forEach((name) => readOne(folder, name));
  for (const sealer of processes) for (const reader of processes) checkPair(folder, files, { sealer, reader });
  return files;
}

/** A new private key for every process that has none yet. Nobody seals for it before all have theirs. */
export function giveOpeners(folder: string, retired: ReadonlySet<string>, write: Write): number {
  return change(folder, write, ({ opens, readers }) => {
    const isOld = opens.slice(0, 1).every(({ kid }) => retired.has(kid));
    return { opens: isOld ? [generateOpener(), ...opens] : opens, readers };
  });
}

/** From here on all seal with the new keys; whatever was sealed with the old ones still opens. */
export function handOutSealers(folder: string, write: Write): number {
  const files = readKeyFiles(folder);
  const newest = forEach((name) => files[name].opens.slice(0, 1).map(sealerOf));
  return change(folder, write, ({ opens, readers }) => {
    const rings = forEach((name) => {
      const older = readers[name].filter(({ kid }) => kid !== newest[name][0]?.kid);
      return [...newest[name], ...older];
    });
    return { opens, readers: rings };
  });
}

/** Only once nothing is left that an old key opens. */
export function retireKeys(folder: string, retired: ReadonlySet<string>, write: Write): number {
  const isKept = ({ kid }: { kid: string }) => !retired.has(kid);
  return change(folder, write, ({ opens, readers }) => ({
    opens: opens.filter(isKept),
    readers: forEach((name) => readers[name].filter(isKept)),
  }));
}

/** Every key of them by its id, old and new. */
export const kidsOf = (files: KeyFiles): string[] =>
  Object.values(files).flatMap(({ opens, readers }) => [opens, ...Object.values(readers)].flat().map(({ kid }) => kid));

/** Writes the files whose rings become others, and says how many. */
function change(folder: string, write: Write, next: (rings: Rings) => Rings): number {
  const files = readKeyFiles(folder);
  const changed = processes.filter((name) => {
    const { opens, readers } = files[name];
    const rings = next({ opens, readers });
    if (textOf(rings) === textOf({ opens, readers })) return false;
    const file = keyFile(folder, name);
    // Also what this release does not know of.
    const all = { ...JSON.parse(readFileSync(file, 'utf8')), ...rings };
    KeyFile.parse(all);
    write(file, `${JSON.stringify(all, null, 2)}\n`);
    return true;
  });
  return changed.length;
}

const textOf = ({ opens, readers }: Rings) =>
  JSON.stringify([opens, ...processes.map((name) => readers[name])].map((ring) => ring.map(({ kid }) => kid)));

function readOne(folder: string, name: Caller): KeyFile {
  try {
    return readKeys(keyFile(folder, name), name);
  } catch (error) {
    throw new Refusal(fr`Les clés de ${name} ne se laissent pas lire : ${reasonOf(error)}`);
  }
}

/** A ring's first key is the one that is sealed with; an older one may be gone from its reader already. */
function checkPair(folder: string, files: KeyFiles, { sealer, reader }: { sealer: Caller; reader: Caller }): void {
  const [used] = files[sealer].readers[reader];
  const isOpened = files[reader].opens.some(({ kid, x }) => kid === used?.kid && x === used.x);
  if (isOpened && files[sealer].instance === files[reader].instance) return;
  throw new Refusal(
    fr`Dans ${folder}, ${reader} n’ouvre pas ce que ${sealer} scelle pour lui : ces fichiers ne vont pas ensemble. Remettez ceux d’une même sauvegarde.`,
  );
}

const forEach = <T>(make: (name: Caller) => T) =>
  Object.fromEntries(processes.map((name) => [name, make(name)])) as Record<Caller, T>;
