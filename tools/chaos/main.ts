import { stopCommands } from '../start/command';
import { fr, Refusal } from '../start/console';
import { build } from '../start/build';
import { type GuardName, guards, isGuard } from './guards';
import { bundlePrograms } from './programs';
import type { Stage } from './stage';
import { tryOut } from './trial';

const help = fr`Éprouve le registre des tâches : des centaines d’opérations sur de vrais serveurs SSH pendant que tout est tué,
gelé, coupé ou vidé, puis la comparaison de ce qui a été dit et de ce qui a été fait.

  npm run chaos [-- --short] [--seed N] [--without ${Object.keys(guards).join(' | ')}]

  --short     la forme courte, celle de npm test
  --seed N    les mêmes choix que la fois où N a été affiché
  --without   sans une des gardes du registre : l’épreuve doit échouer
`;

type Options = { isShort: boolean; seed: number; without: GuardName | undefined };

function readOptions(args: readonly string[]): Options {
  const options: Options = { isShort: false, seed: Math.floor(Math.random() * 1_000_000), without: undefined };
  for (let at = 0; at < args.length; at += 1) {
    const [word = '', next = ''] = [args[at], args[at + 1]];
    if (word === '--short') options.isShort = true;
    else if (word === '--seed' && /^\d{1,9}$/.test(next)) options.seed = Number(args[++at]);
    else if (word === '--without' && isGuard(next)) options.without = next;
    else throw new Refusal(fr`Option inconnue : ${word} ${next} (npm run chaos -- --help les donne).`);
    if (word === '--without') at += 1;
  }
  return options;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const { isShort, seed, without } = readOptions(args);
  await build(console.log, process.env, new AbortController().signal);
  const programs = await bundlePrograms(without);
  console.log(fr`Graine : ${seed}${without ? fr` ; sans : ${without}` : ''}`);
  const size = isShort ? { orders: 30, faults: 7 } : { orders: 200, faults: 50 };
  const options = { log: console.log, onOpen: (stage: Stage) => (opened = stage) };
  const isGood = await tryOut({ seed, isLong: !isShort, programs, ...size }, options);
  console.log(isGood ? fr`Rien de perdu, rien de doublé, rien de faux.` : fr`L’épreuve a échoué (graine ${seed}).`);
  return isGood ? 0 : 1;
}

let opened: Stage | undefined;
const stop = async (code: number) => {
  await stopCommands();
  await opened?.close();
  process.exit(code);
};
process.on('SIGINT', () => void stop(130)).on('SIGTERM', () => void stop(143));
process.on('uncaughtException', (error) => {
  console.error(error);
  void stop(1);
});
process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Refusal ? error.message : error);
    return 1;
  }),
);
