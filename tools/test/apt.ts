import { findBinary } from '../start/binaries';
import { aptEnv, type Run } from '../start/apt';
import { CommandError } from '../start/command';
import { providePackages } from '../start/packages';
import { Refusal } from '../terminal';
import type { Children, ExitResult } from './children';

export const canInstall = () => process.getuid?.() === 0 && findBinary('apt-get', undefined) !== undefined;

/**
 * Installs packages of the distribution, unless another process did so while this one waited for the lock. Their servers
 * are not started, because tests start their own.
 */
export async function install(
  children: Children,
  names: readonly string[],
  isDone: () => boolean,
): Promise<ExitResult> {
  try {
    await providePackages(names, () => !isDone(), { log: print, run: runAsChild(children) });
    return { code: 0, output: '' };
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof CommandError)) throw error;
    return { code: 1, output: error.message };
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function runAsChild(children: Children): Run {
  return async (file, args) => {
    const { code, output } = await children.run(file, args, { env: aptEnv() });
    if (code === 0) return output;
    throw new CommandError(file, code, output);
  };
}
