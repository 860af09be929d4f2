import { availableParallelism } from 'node:os';
import { fr } from '../terminal';
import { median } from './statistics';
import { aim, milliseconds, number, printTable, times } from './table';

/** Of one pass over all sites: how long, and the processor on this side and on theirs. */
export type Measured = { ms: number; hereMs: number; thereMs: number };
type Name = 'inspect' | 'scan' | 'ansibleBoots' | 'xargsBoots' | 'ansibleSame' | 'xargsSame';
type Passes = { count: number; taken: Readonly<Record<Name, readonly Measured[]>>; bootMs: number };

const names: Readonly<Record<Name, string>> = {
  inspect: 'Vigie, WordPress interrogé',
  scan: 'Vigie, fichiers et tables lus',
  ansibleBoots: 'Ansible, quatre démarrages par site',
  xargsBoots: 'xargs -P5 ssh, quatre démarrages',
  ansibleSame: 'Ansible, le programme de Vigie',
  xargsSame: 'xargs -P5 ssh, le programme de Vigie',
};
const aims = { inspect: 5, scan: 200, ofBoots: 0.9 };

export function reportSites({ count, taken, bootMs }: Passes): void {
  const of = (name: Name, field: keyof Measured) => median(taken[name].map((pass) => pass[field])) / count;
  const rateOf = (name: Name) => 1000 / of(name, 'ms');
  const row = (name: Name) => [
    names[name],
    `${number(rateOf(name), 1)} /s`,
    milliseconds(of(name, 'hereMs')),
    milliseconds(of(name, 'thereMs')),
    name === 'inspect' ? '' : times(rateOf('inspect') / rateOf(name)),
    name === 'scan' || name === 'inspect' ? '' : times(rateOf('scan') / rateOf(name)),
  ];
  console.log(`\n${fr`${count} sites WordPress d’un serveur`}`);
  printTable(
    ['', 'sites', 'processeur ici', 'là-bas', 'Vigie interroge', 'Vigie lit'],
    (Object.keys(names) as Name[]).map(row),
  );
  const byRival = (name: Name) => rateOf(name) / rateOf('ansibleBoots');
  const allowed = (availableParallelism() * 1000) / bootMs;
  const ofBoots = rateOf('inspect') / allowed;
  console.log(fr`
  Interroger, contre Ansible et ses quatre démarrages : ${times(byRival('inspect'))}, ${aim(`≥ ${aims.inspect}`, byRival('inspect') >= aims.inspect)}.
  Lire, contre le même : ${times(byRival('scan'))}, ${aim(`≥ ${aims.scan}`, byRival('scan') >= aims.scan)}.
  Un démarrage seul coûte ${milliseconds(bootMs)} de processeur : ${number(allowed, 1)} sites par seconde au plus ici. Vigie en tient
  ${number(ofBoots, 2)}, ${aim(`≥ ${number(aims.ofBoots, 1)}`, ofBoots >= aims.ofBoots)}.

  De vrais sites WordPress sous MariaDB, derrière un sshd privé à ses réglages par défaut. Vigie : libs/wordpress sur une
  connexion ouverte, 4 sites à la fois pour les interroger, tous en une fois pour les lire. Les rivaux posent les mêmes
  questions (version, mise à jour du cœur, extensions, thèmes) par un démarrage de WordPress chacune, comme le fait la
  ligne de commande, puis, à armes égales, par le programme de Vigie. Personne n’interroge WordPress.org. Ansible :
  25 forks, pipelining, ControlPersist, connexions ouvertes à la première passe. Médiane de passes alternées ; les sites et
  ceux qui les interrogent se partagent les mêmes cœurs.`);
}
