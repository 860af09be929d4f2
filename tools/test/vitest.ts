import { join } from 'node:path';
import { bin } from './checks';
import type { Children } from './children';
import { type Outcome, readIfThere, vitestOutcome } from './results';

/** A medium suite starts processes of its own, and waits for them more than it computes. */
const workers = { unit: 2, medium: 4, hosts: 1 };

type Options = {
  folder: string;
  filter: readonly string[];
  env?: object;
  /** The command that runs it, where it does not run by itself. */
  inside?: readonly string[];
};

export async function runVitest(
  project: keyof typeof workers,
  children: Children,
  { folder, filter, env = {}, inside = [] }: Options,
): Promise<Outcome> {
  const file = join(folder, `${project}.json`);
  const args = ['run', '--project', project, `--maxWorkers=${workers[project]}`];
  const [command = '', ...rest] = [...inside, bin('vitest'), ...args, ...filter];
  const child = children.start(command, rest, {
    env: { ...process.env, ...env, VIGIE_TEST_REPORT: file },
    movement: 'printing',
  });
  const { code, output } = await child.ended;
  return vitestOutcome({ report: readIfThere(file), code, output });
}
