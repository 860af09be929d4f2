import type { Children } from './children';
import { failed, type Outcome, passed } from './results';
import type { Step } from './steps';

/** Checks that consist of one command; each counts as one test. */
export function checks(): Step[] {
  const patientSteps = commands.map(({ name, command, args }, index) => ({
    name,
    isPatient: true,
    after: commands.slice(0, index).map((earlier) => earlier.name),
    run: (children: Children) => children.run(...withLowPriority(bin(command), args)).then(byCode),
  }));
  const chaos = (children: Children) => children.run('node', ['tools/run.mjs', 'chaos', '--short']).then(byCode);
  return [
    // It mostly waits for leases to expire; its output contains the seed.
    { name: 'chaos', needs: ['build', 'hosts'], after: ['servers'], run: chaos },
    ...patientSteps,
  ];
}

const commands = [
  // The type-aware rules run the compiler anyway, so its errors are reported here too.
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--type-check', '--deny-warnings'] },
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'dead-code', command: 'knip', args: ['--no-progress'] },
];

/** Linux schedules sessions first, each with its own niceness, and then the processes in each. */
const lowPriority = '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 "$@"';

export const withLowPriority = (command: string, args: readonly string[]): [string, string[]] => [
  'sh',
  ['-c', lowPriority, 'sh', command, ...args],
];

export const bin = (command: string) => `node_modules/.bin/${command}`;

const byCode = ({ code, output }: { code: number | null; output: string }): Outcome =>
  code === 0 ? passed : failed(`${output}\nCode ${code}.`);
