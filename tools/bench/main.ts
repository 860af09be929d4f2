import { fr, Refusal } from '../terminal';
import { runTrial, step } from '../trials';
import { backups } from './backups';
import { consoles } from './console';
import { dns } from './dns';
import { fleet } from './fleet';
import { grants } from './grants';
import { health } from './health';
import { jobs } from './jobs';
import { load } from './load';
import { login } from './login';
import { describeMachine } from './machine';
import { me } from './me';
import type { Part } from './measure';
import { type PartName, partNames, parts } from './parts';
import { bundlePrograms } from './programs';
import { printReport } from './report';
import { restore } from './restore';
import { sites } from './sites';
import { ssh } from './ssh';
import { start } from './start';
import { trace } from './trace';
import { updates } from './updates';
import { web } from './web';
import { Workbench } from './workbench';

const help = fr`Mesure ce que coûte l’ossature de Vigie, en rapport à ce qu’on utiliserait à sa place.

  npm run bench [-- PARTIES] [--quick]

${partNames.map((name) => fr`  ${name.padEnd(8)}  ${parts[name]}`).join('\n')}
  --quick   des rondes courtes, pour voir que tout marche ; les chiffres ne valent rien
`;

const tables: Record<PartName, Part> = {
  start,
  me,
  login,
  ssh,
  health,
  jobs,
  console: consoles,
  sites,
  updates,
  trace,
  backups,
  restore,
  dns,
  fleet,
  grants,
  load,
  web,
};
const isPart = (word: string): word is PartName => Object.hasOwn(tables, word);

function readOptions(args: readonly string[]): { selected: readonly PartName[]; isQuick: boolean } {
  const words = args.filter((arg) => arg !== '--quick');
  const selected = words.filter(isPart);
  const unknown = words.find((word) => !isPart(word));
  if (unknown !== undefined) throw new Refusal(fr`Option inconnue : ${unknown} (npm run bench -- --help les donne).`);
  return { selected: selected.length > 0 ? selected : partNames, isQuick: args.includes('--quick') };
}

/** Starts what a part measures, runs its table, and stops everything again. */
async function runPart(name: PartName, isQuick: boolean, signal: AbortSignal): Promise<void> {
  const bench = new Workbench(name, signal);
  try {
    for (const measure of await tables[name](bench, isQuick))
      for (const report of await measure(bench)) printReport(report);
  } finally {
    bench.step(fr`arrête ce qui a servi aux mesures`);
    await bench.close();
  }
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const { selected, isQuick } = readOptions(args);
  describeMachine();
  step(fr`Prépare les programmes des mesures…`);
  await bundlePrograms();
  for (const name of selected) await runPart(name, isQuick, signal);
  return 0;
}

await runTrial((signal) => main(process.argv.slice(2), signal));
