import { join } from 'node:path';
import { bin } from './checks';
import type { Children } from './children';
import { type Outcome, readIfPresent, vitestOutcome } from './results';

/** The medium tests also wait for processes that they start; with four workers a slow machine only switches between them. */
const workers = { unit: 2, medium: 3, hosts: 1 };

type Options = {
  folder: string;
  filter: readonly string[];
  env?: object;
  wrapper?: readonly string[];
};

export async function runVitest(
  project: keyof typeof workers,
  children: Children,
  { folder, filter, env = {}, wrapper = [] }: Options,
): Promise<Outcome> {
  const file = join(folder, `${project}.json`);
  const args = ['run', '--project', project, `--maxWorkers=${workers[project]}`];
  const [command = '', ...rest] = [...wrapper, bin('vitest'), ...args, ...filter];
  const child = children.start(command, rest, {
    env: { ...process.env, ...env, VIGIE_TEST_REPORT: file },
    movement: 'printing',
  });
  const { code, output } = await child.ended;
  return vitestOutcome({ report: readIfPresent(file), code, output });
}
