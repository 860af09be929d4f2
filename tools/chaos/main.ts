import { build } from '../start/build';
import { fr, Refusal } from '../terminal';
import type { Need } from './faults';
import { runTrial, step } from '../trials';
import { type GuardName, guards, isGuard } from './guards';
import { fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { runInOwnMounts, mountsOption } from './disks';
import { findMissingNeeds, skippedFaults } from './faults-whole';
import { bundlePrograms } from './programs';
import { runChaosTrial } from './chaos-trial';
import { judge, unfinishedCode } from './verdict';

const help = fr`Éprouve tout le produit : des centaines d’opérations sur de vrais serveurs SSH et de vrais sites WordPress pendant
que tout est tué, gelé, coupé, ralenti, rempli ou vidé, puis la comparaison de ce qui a été dit et de ce qui a été fait.

  npm run chaos [-- --short] [--seed N] [--orders N] [--faults N] [--soak MINUTES] [--allow-missing]
                [--without ${Object.keys(guards).join(' | ')}]

  --short     la forme courte, celle de npm test : le registre des tâches seul
  --seed N    les mêmes choix que la fois où N a été affiché
  --orders N  le nombre d’opérations (200, ou 30 pour la forme courte)
  --faults N  le nombre de fautes (60, ou 7 pour la forme courte)
  --soak N    pendant N minutes, 6 au moins : une faute par minute, deux fois moins de travail à la fois, et à la fin le
              jugement de la mémoire, des descripteurs et des connexions de chaque service, en plus du reste
  --allow-missing
              sans les fautes que cette machine ne permet pas (horloges décalées, disques pleins), au lieu de refuser
  --without   sans une des gardes du produit : l’épreuve doit trouver ce que cette garde empêche

Le code de sortie est 0 si rien n’a été trouvé, 1 si l’épreuve a échoué, 2 si elle n’est pas allée à son terme. Avec
--without, il est 0 si l’épreuve a trouvé ce que la garde empêche, et 1 si elle ne l’a pas vu.
`;

type Options = {
  isShort: boolean;
  allowsMissing: boolean;
  seed: number;
  orders?: number;
  faults?: number;
  soakMinutes?: number;
  without: GuardName | undefined;
};

/** Growth does not show in a shorter soak. */
const minSoakMinutes = 6;

const numberOptions = {
  '--seed': 'seed',
  '--orders': 'orders',
  '--faults': 'faults',
  '--soak': 'soakMinutes',
} as const;
const isNumberOption = (word: string): word is keyof typeof numberOptions => Object.hasOwn(numberOptions, word);

function readOptions(args: readonly string[]): Options {
  const options: Options = {
    isShort: false,
    allowsMissing: false,
    seed: Math.floor(Math.random() * 1_000_000),
    without: undefined,
  };
  for (let index = 0; index < args.length; index += 1) {
    const [word = '', next = ''] = [args[index], args[index + 1]];
    if (word === '--short') options.isShort = true;
    else if (word === '--allow-missing') options.allowsMissing = true;
    else if (isNumberOption(word) && /^\d{1,9}$/.test(next)) options[numberOptions[word]] = Number(args[++index]);
    else if (word === '--without' && isGuard(next)) options.without = next;
    else if (word !== mountsOption)
      throw new Refusal(fr`Option inconnue : ${word} ${next} (npm run chaos -- --help les donne).`);
    if (word === '--without') index += 1;
  }
  if (options.soakMinutes !== undefined && options.soakMinutes < minSoakMinutes)
    throw new Refusal(fr`--soak veut ${minSoakMinutes} minutes au moins : une vie plus courte ne dit rien.`);
  return options;
}

const defaults = { short: { orders: 30, faults: 7 }, long: { orders: 200, faults: 60 } };

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const { isShort, allowsMissing, seed, without, ...sizes } = readOptions(args);
  const missingNeeds = findMissingNeeds();
  if (!isShort) requireComplete(allowsMissing ? [] : missingNeeds);
  const exitCode = isShort
    ? undefined
    : runInOwnMounts([...args, ...(args.includes('--seed') ? [] : ['--seed', `${seed}`])]);
  if (exitCode) return exitCode;
  await build(step, process.env, signal);
  step(fr`Prépare les programmes de l’épreuve…`);
  const programs = await bundlePrograms(without);
  console.log(fr`Graine : ${seed}${without ? fr` ; sans : ${without}` : ''}`);
  const { soakMinutes } = sizes;
  const size =
    soakMinutes === undefined
      ? { ...defaults[isShort ? 'short' : 'long'], ...sizes }
      : { ...sizes, orders: 0, faults: soakMinutes, soakMinutes };
  const trial = await runChaosTrial(
    { seed, isLong: !isShort, programs, missingNeeds, ...size },
    { log: console.log, step },
  );
  if (!isShort) for (const need of missingNeeds) console.log(fr`Pas éprouvé ici : ${skippedFaults[need]}.`);
  const { code, message } = judge(trial, without);
  console.log(fr`${message} (graine ${seed}).`);
  return code;
}

/** A long trial must not leave out faults unnoticed. */
function requireComplete(missingNeeds: readonly Need[]): void {
  const reason = fleetUnavailableReason();
  if (reason !== undefined)
    throw new Refusal(fr`La forme longue a besoin de vrais sites (${reason}) ; --short s’en passe.`);
  if (missingNeeds.length === 0) return;
  throw new Refusal(
    fr`Des fautes ne peuvent pas avoir lieu ici : ${missingNeeds.map((need) => skippedFaults[need]).join(', ')}. Donnez à cette machine ce qui lui manque, ou ajoutez --allow-missing pour éprouver le reste.`,
  );
}

await runTrial((signal) => main(process.argv.slice(2), signal), unfinishedCode);
