import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin } from './checks';
import type { Children } from './children';
import { jestOutcome, type Outcome } from './results';

/** Medium suites start services that share the test's servers, so they run one after the other. */
const workers = { unit: 2, medium: 1 };

export async function runJest(
  project: 'unit' | 'medium',
  {
    children,
    folder,
    filter,
    env = {},
  }: { children: Children; folder: string; filter: readonly string[]; env?: object },
): Promise<Outcome> {
  const file = join(folder, `${project}.json`);
  const args = [
    '--selectProjects',
    project,
    '--ci',
    `--maxWorkers=${workers[project]}`,
    '--json',
    `--outputFile=${file}`,
  ];
  const { code, output } = await children.run(bin('jest'), [...args, ...filter], {
    env: {
      ...process.env,
      ...env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
    },
    timeoutMs: 900_000,
  });
  return jestOutcome({ report: readIfThere(file), code, output });
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
