import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../start/wait';
import { bin } from './checks';
import type { Child, Children } from './children';
import { jestOutcome, type Outcome } from './results';

const lingerMs = 20_000;
/** A medium suite starts processes of its own, and waits for them more than it computes. */
const workers = { unit: 2, medium: 3 };

export async function runJest(
  project: 'unit' | 'medium',
  children: Children,
  { folder, filter, env = {} }: { folder: string; filter: readonly string[]; env?: object },
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
  const child = children.start(bin('jest'), [...args, ...filter], {
    env: {
      ...process.env,
      ...env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
    },
    movement: 'printing',
  });
  void stopWhenLingering(child, file);
  const { code, output } = await child.ended;
  return jestOutcome({ report: readIfThere(file), code, output });
}

/** Jest waits for ever for what a test left open: that is a failure, and no reason to wait. */
async function stopWhenLingering(child: Child, report: string): Promise<void> {
  const over = new AbortController();
  void child.ended.then(() => over.abort());
  const options = { timeoutMs: Infinity, everyMs: 500, signal: over.signal };
  if (!(await waitFor(async () => existsSync(report), options))) return;
  await sleep(lingerMs, undefined, { signal: over.signal }).then(
    () => child.stop(),
    () => undefined,
  );
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
