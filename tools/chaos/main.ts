import { stopCommands } from '../start/command';
import { fr, Refusal } from '../start/console';
import { build } from '../start/build';
import { type GuardName, guards, isGuard } from './guards';
import { whyNoFleet } from '@vigie/testing/fleet/machine';
import { inOwnMounts, insideWord } from './disks';
import { bundlePrograms } from './programs';
import type { Stage } from './stage';
import { tryOut } from './trial';

const help = fr`Éprouve tout le produit : des centaines d’opérations sur de vrais serveurs SSH et de vrais sites WordPress pendant
que tout est tué, gelé, coupé, ralenti, rempli ou vidé, puis la comparaison de ce qui a été dit et de ce qui a été fait.

  npm run chaos [-- --short] [--seed N] [--orders N] [--faults N] [--soak MINUTES] [--without ${Object.keys(guards).join(' | ')}]

  --short     la forme courte, celle de npm test : le registre des tâches seul
  --seed N    les mêmes choix que la fois où N a été affiché
  --orders N  le nombre d’opérations (200, ou 30 pour la forme courte)
  --faults N  le nombre de fautes (50, ou 7 pour la forme courte)
  --soak N    pendant N minutes : une faute par minute, des gens deux fois plus lents, et à la fin le jugement de la
              mémoire, des descripteurs et des connexions de chaque processus, en plus du reste
  --without   sans une des gardes du produit : l’épreuve doit échouer
`;

type Options = {
  isShort: boolean;
  seed: number;
  orders?: number;
  faults?: number;
  soakMinutes?: number;
  without: GuardName | undefined;
};

const numbered = { '--seed': 'seed', '--orders': 'orders', '--faults': 'faults', '--soak': 'soakMinutes' } as const;
const isNumbered = (word: string): word is keyof typeof numbered => Object.hasOwn(numbered, word);

function readOptions(args: readonly string[]): Options {
  const options: Options = { isShort: false, seed: Math.floor(Math.random() * 1_000_000), without: undefined };
  for (let at = 0; at < args.length; at += 1) {
    const [word = '', next = ''] = [args[at], args[at + 1]];
    if (word === '--short') options.isShort = true;
    else if (isNumbered(word) && /^\d{1,9}$/.test(next)) options[numbered[word]] = Number(args[++at]);
    else if (word === '--without' && isGuard(next)) options.without = next;
    else if (word !== insideWord)
      throw new Refusal(fr`Option inconnue : ${word} ${next} (npm run chaos -- --help les donne).`);
    if (word === '--without') at += 1;
  }
  return options;
}

const usual = { short: { orders: 30, faults: 7 }, long: { orders: 200, faults: 50 } };

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const { isShort, seed, without, ...asked } = readOptions(args);
  const reason = isShort ? undefined : whyNoFleet();
  if (reason !== undefined)
    throw new Refusal(fr`La forme longue a besoin de vrais sites (${reason}) ; --short s’en passe.`);
  const inside = isShort
    ? undefined
    : inOwnMounts([...args, ...(args.includes('--seed') ? [] : ['--seed', `${seed}`])]);
  if (inside) return inside;
  await build(console.log, process.env, new AbortController().signal);
  const programs = await bundlePrograms(without);
  console.log(fr`Graine : ${seed}${without ? fr` ; sans : ${without}` : ''}`);
  const { soakMinutes } = asked;
  const size =
    soakMinutes === undefined
      ? { ...usual[isShort ? 'short' : 'long'], ...asked }
      : { ...asked, orders: 0, faults: soakMinutes, soakMinutes };
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
