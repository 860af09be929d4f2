import { join } from 'node:path';
import { bin } from './checks';
import type { Children } from './children';
import { type Outcome, readIfThere, vitestOutcome } from './results';

/** A medium suite starts processes of its own, and waits for them more than it computes. */
const workers = { unit: 2, medium: 4 };

export async function runVitest(
  project: 'unit' | 'medium',
  children: Children,
  { folder, filter, env = {} }: { folder: string; filter: readonly string[]; env?: object },
): Promise<Outcome> {
  const file = join(folder, `${project}.json`);
  const args = ['run', '--project', project, `--maxWorkers=${workers[project]}`];
  const child = children.start(bin('vitest'), [...args, ...filter], {
    env: { ...process.env, ...env, VIGIE_TEST_REPORT: file },
    movement: 'printing',
  });
  const { code, output } = await child.ended;
  return vitestOutcome({ report: readIfThere(file), code, output });
}
