import type { Children } from './children';
import { failed, type Outcome, passed } from './results';
import type { Step } from './steps';

/** The checks that are one command: each counts as one test. */
export function checks(children: Children): Step[] {
  const run = (name: string, command: string, args: readonly string[]): Step => ({
    name,
    run: () => children.run(command, args, { timeoutMs: 300_000 }).then(byCode),
  });
  const check = (name: string, command: string, args: readonly string[]) => run(name, bin(command), args);
  return [
    check('types', 'tsc', ['-p', '.']),
    check('types-web', 'tsc', ['-p', 'apps/web']),
    check('types-e2e', 'tsc', ['-p', 'apps/web/e2e']),
    check('lint', 'oxlint', ['--type-aware', '--deny-warnings']),
    check('format', 'biome', ['format', '.']),
    check('dead-code', 'knip', ['--no-progress']),
    // It waits for leases to run out more than it works; its output says the seed.
    { ...run('chaos', 'node', ['tools/run.mjs', 'chaos', '--short']), needs: ['build', 'hosts'], after: ['servers'] },
  ];
}

export const bin = (command: string) => `node_modules/.bin/${command}`;

const byCode = ({ code, output }: { code: number | null; output: string }): Outcome =>
  code === 0 ? passed : failed(`${output}\nCode ${code}.`);
