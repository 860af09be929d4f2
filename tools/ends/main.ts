import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { partNames } from '../bench/part-names';
import { fr, Refusal, seconds } from '../terminal';
import { runTrial, step } from '../trials';
import { type Interrupt, interrupts, Run } from './run';

const help = fr`Interrompt chaque mesure et chaque épreuve à plusieurs moments, et regarde que rien n’en reste après dix secondes : ni
processus, ni dossier temporaire.

  npm run ends [-- MOTS]

  MOTS   les seules commandes qui contiennent un de ces mots, comme sites ou chaos

Le code de sortie est 1 si quelque chose est resté.
`;

/** While it is bundled, while servers start, and in the middle of its work; each is met by another interrupt. */
const moments = [1_000, 8_000, 30_000];

type Tool = { title: string; command: readonly string[]; env?: NodeJS.ProcessEnv };

const byNpm = (words: string, env?: NodeJS.ProcessEnv): Tool => {
  const [script = '', ...args] = words.split(' ');
  return { title: words, command: ['npm', 'run', '--silent', script, '--', ...args], ...(env && { env }) };
};

/** As PostgreSQL says that whoever connects is let in, and may ask. */
const welcome = Buffer.from('5200000008000000005a0000000549', 'hex');

/** A database that lets everybody in and never answers. */
async function openSilentPort(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write(welcome));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function toolsOf(silentPort: number): Tool[] {
  return [
    ...partNames.map((name) => byNpm(`bench ${name}`)),
    byNpm('chaos --allow-missing'),
    byNpm('chaos --short'),
    byNpm('chaos --soak 6 --allow-missing'),
    byNpm('attack'),
    byNpm('attack --short'),
    byNpm('hosts 12 repairs'),
    byNpm('seed', { DATABASE_URL: `postgres://vigie:vigie@127.0.0.1:${silentPort}/vigie` }),
    { title: 'fleet', command: ['sh', '-c', 'node tools/run.mjs fleet plain; exit $?'] },
  ];
}

const words: Record<Interrupt, string> = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', npm: fr`mort de npm` };

/** Whether nothing of it was left. A tool that comes to its end before that moment is interrupted half way. */
async function tryOut(tool: Tool, how: Interrupt, afterMs: number, signal: AbortSignal): Promise<boolean> {
  const run = Run.start(tool.command, tool.env);
  const since = performance.now();
  const passed = () => performance.now() - since;
  while (passed() < afterMs && !run.isOver) await sleep(100, undefined, { signal });
  const what = fr`${tool.title}, ${words[how]} après ${seconds(afterMs)}`;
  if (run.isOver) {
    run.sweep();
    if (run.hasSucceeded) return tryOut(tool, how, passed() / 2, signal);
    console.log(fr`✗ ${what} : fini avant\n${run.printed.trim()}`);
    return false;
  }
  const { ms, left } = await run.interrupt(how);
  if (left.length === 0) console.log(fr`✓ ${what} : plus rien après ${seconds(ms)}`);
  else console.log(fr`✗ ${what} : restent ${left.join(', ')}\n${run.printed.trim()}`);
  return left.length === 0;
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const all = toolsOf(await openSilentPort());
  const asked = all.filter(({ title }) => args.length === 0 || args.some((word) => title.includes(word)));
  if (asked.length === 0) throw new Refusal(fr`Aucune commande ne contient : ${args.join(', ')}`);
  let failures = 0;
  for (const [place, tool] of asked.entries()) {
    for (const [at, afterMs] of moments.entries()) {
      const how = interrupts[(all.indexOf(tool) + at) % interrupts.length] ?? 'SIGINT';
      step(fr`${place + 1} sur ${asked.length} : ${tool.title}, moment ${at + 1} sur ${moments.length}`);
      if (!(await tryOut(tool, how, afterMs, signal))) failures += 1;
    }
  }
  console.log(failures === 0 ? fr`Rien n’est resté.` : fr`${failures} interruptions n’ont pas tout arrêté.`);
  return failures === 0 ? 0 : 1;
}

await runTrial((signal) => main(process.argv.slice(2), signal));
