import type { Children } from './children';
import { failed, type Outcome, passed } from './results';
import type { Step } from './steps';

/** The checks that are one command: each counts as one test. */
export function checks(): Step[] {
  const patient = commands.map(({ name, command, args }, at) => ({
    name,
    isPatient: true,
    after: commands.slice(0, at).map((earlier) => earlier.name),
    run: (children: Children) => children.run(...patiently(bin(command), args)).then(byCode),
  }));
  const chaos = (children: Children) => children.run('node', ['tools/run.mjs', 'chaos', '--short']).then(byCode);
  return [
    // It waits for leases to run out more than it works; its output says the seed.
    { name: 'chaos', isPatient: true, needs: ['build', 'hosts'], after: ['servers'], run: chaos },
    ...patient,
  ];
}

const commands = [
  // The rules that ask for types read all programs by the compiler anyway: what it says itself comes with them.
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--type-check', '--deny-warnings'] },
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'dead-code', command: 'knip', args: ['--no-progress'] },
];

/** Linux shares its time out between sessions first, each with a niceness of its own, and then between processes. */
const patience = '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 "$@"';

export const patiently = (command: string, args: readonly string[]): [string, string[]] => [
  'sh',
  ['-c', patience, 'sh', command, ...args],
];

export const bin = (command: string) => `node_modules/.bin/${command}`;

const byCode = ({ code, output }: { code: number | null; output: string }): Outcome =>
  code === 0 ? passed : failed(`${output}\nCode ${code}.`);
