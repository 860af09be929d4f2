import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { partNames } from '../bench/parts';
import { fr, Refusal, seconds } from '../terminal';
import { runTrial, step } from '../trials';
import { type Interrupt, interrupts, Run } from './run';

const help = fr`Interrompt chaque mesure et chaque épreuve à plusieurs moments, et regarde que rien n’en reste après dix secondes : ni
processus, ni dossier temporaire.

  npm run ends [-- MOTS]

  MOTS   les seules commandes qui contiennent un de ces mots, comme sites ou chaos

Le code de sortie est 1 si quelque chose est resté.
`;

/** During bundling, during the start of servers, and during the work; the interrupt differs at each of them. */
const moments = [1_000, 8_000, 30_000];

type Tool = { title: string; command: readonly string[]; env?: NodeJS.ProcessEnv };

const npmTool = (interruptNames: string, env?: NodeJS.ProcessEnv): Tool => {
  const [script = '', ...args] = interruptNames.split(' ');
  return { title: interruptNames, command: ['npm', 'run', '--silent', script, '--', ...args], ...(env && { env }) };
};

/** PostgreSQL's AuthenticationOk and ReadyForQuery messages. */
const acceptLogin = Buffer.from('5200000008000000005a0000000549', 'hex');

/** Opens a fake database that accepts every connection and never answers a query. */
async function startSilentDatabase(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write(acceptLogin));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function toolsOf(silentPort: number): Tool[] {
  return [
    ...partNames.map((name) => npmTool(`bench ${name}`)),
    npmTool('chaos --allow-missing'),
    npmTool('chaos --short'),
    npmTool('chaos --soak 6 --allow-missing'),
    npmTool('attack'),
    npmTool('attack --short'),
    npmTool('hosts 12 repairs'),
    npmTool('lookout --sites 1000 --minutes 1'),
    npmTool('seed', { DATABASE_URL: `postgres://vigie:vigie@127.0.0.1:${silentPort}/vigie` }),
    { title: 'fleet', command: ['sh', '-c', 'node tools/run.mjs fleet plain; exit $?'] },
  ];
}

const interruptNames: Record<Interrupt, string> = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', npm: fr`mort de npm` };

/** Resolves to whether nothing was left. A tool that ends before that moment is run again and interrupted half way. */
async function tryInterrupt(tool: Tool, interrupt: Interrupt, afterMs: number, signal: AbortSignal): Promise<boolean> {
  const run = Run.start(tool.command, tool.env);
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  while (elapsedMs() < afterMs && !run.isOver) await sleep(100, undefined, { signal });
  const description = fr`${tool.title}, ${interruptNames[interrupt]} après ${seconds(afterMs)}`;
  if (run.isOver) {
    run.sweep();
    if (run.hasSucceeded) return tryInterrupt(tool, interrupt, elapsedMs() / 2, signal);
    console.log(fr`✗ ${description} : fini avant\n${run.printed.trim()}`);
    return false;
  }
  const { ms, leftovers } = await run.interrupt(interrupt);
  if (leftovers.length === 0) console.log(fr`✓ ${description} : plus rien après ${seconds(ms)}`);
  else console.log(fr`✗ ${description} : restent ${leftovers.join(', ')}\n${run.printed.trim()}`);
  return leftovers.length === 0;
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const all = toolsOf(await startSilentDatabase());
  const selected = all.filter(({ title }) => args.length === 0 || args.some((word) => title.includes(word)));
  if (selected.length === 0) throw new Refusal(fr`Aucune commande ne contient : ${args.join(', ')}`);
  let failures = 0;
  for (const [toolIndex, tool] of selected.entries()) {
    for (const [momentIndex, afterMs] of moments.entries()) {
      const interrupt = interrupts[(all.indexOf(tool) + momentIndex) % interrupts.length] ?? 'SIGINT';
      step(
        fr`${toolIndex + 1} sur ${selected.length} : ${tool.title}, moment ${momentIndex + 1} sur ${moments.length}`,
      );
      if (!(await tryInterrupt(tool, interrupt, afterMs, signal))) failures += 1;
    }
  }
  console.log(failures === 0 ? fr`Rien n’est resté.` : fr`${failures} interruptions n’ont pas tout arrêté.`);
  return failures === 0 ? 0 : 1;
}

await runTrial((signal) => main(process.argv.slice(2), signal));
