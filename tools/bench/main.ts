import { availableParallelism, loadavg } from 'node:os';
import { fr, Refusal } from '../terminal';
import { runTrial, step } from '../trials';
import { benchBackups } from './backups';
import { benchConsole } from './console';
import { benchDns } from './dns';
import { benchFleet } from './fleet';
import { benchHealth } from './health';
import { benchJobs } from './jobs';
import { benchLoad } from './load';
import { benchLogin } from './login';
import { benchMe } from './me';
import { type PartName, partNames } from './part-names';
import { bundlePrograms } from './programs';
import { benchRestore } from './restore';
import { benchSites } from './sites';
import { benchSsh } from './ssh';
import { benchStarts } from './starts';
import { number } from './table';
import { benchUpdates } from './updates';
import { benchWeb } from './web';
import { Workbench } from './workbench';

const help = fr`Mesure ce que coûte l’ossature de Vigie, en rapport à ce qu’on utiliserait à sa place.

  npm run bench [-- start | me | login | ssh | health | jobs | console | sites | updates | backups | restore |
                     dns | fleet | load | web] [--quick]

  start     démarrage à froid, à chaud, et arrêt
  me        GET /api/auth/me : débit, temps de réponse, mémoire
  login     POST /api/auth/login : débit, lectures pendant ce temps, temps d’un refus avec et sans compte
  ssh       commandes, connexions, 200 hôtes d’un coup et transferts, par libs/ssh et par OpenSSH
  health    la santé de 200 serveurs, par Vigie et par Ansible
  jobs      tâches vides par seconde, avec un et deux agents, et la part de chaque étape
  console   écho d’une touche dans 100 consoles à la fois, contre ssh ; mémoire de chacune
  sites     lire et interroger 50 sites WordPress, par Vigie, par Ansible et par xargs et ssh
  updates   une extension mise à jour sur 50 sites, par Vigie et par WordPress seul
  backups   un site d’un gigaoctet sauvegardé, copié et lu, contre tar, mariadb-dump et scp
  restore   le même restauré, contre tar et mariadb
  dns       les écrans de 500 zones et d’une zone de 3000 enregistrements : temps, et appels à Cloudflare
  fleet     listes, tuiles et écrans d’un parc de 1 000, 5 000 et 10 000 sites
  load      lectures, consoles et opérations à la fois, de plus en plus, avec un puis deux de chaque processus
  web       le tableau de bord de mille sites, ouvert sans cache, contre celui d’un WordPress
  --quick   des rondes courtes, pour voir que tout marche ; les chiffres ne valent rien
`;

const parts: Record<PartName, (bench: Workbench, isQuick: boolean) => Promise<void>> = {
  start: benchStarts,
  me: benchMe,
  login: benchLogin,
  ssh: benchSsh,
  health: benchHealth,
  jobs: benchJobs,
  console: benchConsole,
  sites: benchSites,
  updates: benchUpdates,
  backups: benchBackups,
  restore: benchRestore,
  dns: benchDns,
  fleet: benchFleet,
  load: benchLoad,
  web: benchWeb,
};
const isPart = (word: string): word is PartName => Object.hasOwn(parts, word);

function readOptions(args: readonly string[]): { selected: readonly PartName[]; isQuick: boolean } {
  const words = args.filter((arg) => arg !== '--quick');
  const selected = words.filter(isPart);
  const unknown = words.find((word) => !isPart(word));
  if (unknown !== undefined) throw new Refusal(fr`Option inconnue : ${unknown} (npm run bench -- --help les donne).`);
  return { selected: selected.length > 0 ? selected : partNames, isQuick: args.includes('--quick') };
}

function describeMachine(): void {
  const [load = 0] = loadavg();
  console.log(
    fr`Machine : ${availableParallelism()} cœurs, charge ${number(load, 2)} au départ, Node ${process.version}.`,
  );
  if (load > 1)
    console.log(fr`Attention : la machine était occupée ; ces chiffres ne valent que sur une machine au repos.`);
}

async function run(bench: Workbench, args: readonly string[]): Promise<void> {
  const { selected, isQuick } = readOptions(args);
  describeMachine();
  step(fr`Prépare les programmes des mesures…`);
  await bundlePrograms();
  for (const part of selected) {
    bench.part = part;
    await parts[part](bench, isQuick);
  }
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const bench = new Workbench(signal);
  try {
    await run(bench, args);
    return 0;
  } finally {
    step(fr`Arrête ce qui a servi aux mesures…`);
    await bench.close();
  }
}

await runTrial((signal) => main(process.argv.slice(2), signal));
