import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { distFile } from './processes';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const built = new Set<string>();

type Outcome = { code: number | null; printed: string };
type Started = { child: ChildProcess; outcome: Promise<Outcome> };

/** Starts a tool as an operator does; later starts use the build of the first. */
export function startTool(name: string, args: readonly string[], env: Record<string, string>): Started {
  const program = built.has(name) ? [distFile(`tools/${name}/main.js`)] : ['tools/run.mjs', name];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const collect = (text: string) => {
    printed += text;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const outcome = new Promise<Outcome>((resolve) =>
    child.once('close', (code) => {
      built.add(name);
      // Replaces the no-break spaces of French typography.
      resolve({ code, printed: printed.replaceAll(/[\u00a0\u202f]/g, ' ') });
    }),
  );
  return { child, outcome };
}

export const runTool = (name: string, args: readonly string[], env: Record<string, string>) =>
  startTool(name, args, env).outcome;
