import { findBinary } from '../start/binaries';
import { aptEnv, type Run } from '../start/apt';
import { CommandError } from '../start/command';
import { provideOthers } from '../start/packages';
import { Refusal } from '../terminal';
import type { Children, Ended } from './children';

export const canInstall = () => process.getuid?.() === 0 && findBinary('apt-get', undefined) !== undefined;

/**
 * Installs the distribution's packages, unless somebody else did it while this one waited its turn. The tests start
 * servers of their own: the machine gets none by that.
 */
export async function install(children: Children, names: readonly string[], isDone: () => boolean): Promise<Ended> {
  try {
    await provideOthers(names, () => !isDone(), { log: print, run: runBy(children) });
    return { code: 0, output: '' };
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof CommandError)) throw error;
    return { code: 1, output: error.message };
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function runBy(children: Children): Run {
  return async (file, args) => {
    const { code, output } = await children.run(file, args, { env: aptEnv() });
    if (code === 0) return output;
    throw new CommandError(file, code, output);
  };
}
