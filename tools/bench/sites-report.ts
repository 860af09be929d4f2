import { availableParallelism } from 'node:os';
import { fr } from '../terminal';
import { median } from './statistics';
import { aim, milliseconds, number, printTable, times } from './table';

/** One pass over all sites: total time, and processor time of the client and of the hosts. */
export type Measured = { ms: number; clientMs: number; hostMs: number };
type Name = 'inspect' | 'scan' | 'ansibleBoots' | 'xargsBoots' | 'ansibleSame' | 'xargsSame';
type SitesFigures = { count: number; passes: Readonly<Record<Name, readonly Measured[]>>; bootMs: number };

const names: Readonly<Record<Name, string>> = {
  inspect: 'Vigie, WordPress interrogé',
  scan: 'Vigie, fichiers et tables lus',
  ansibleBoots: 'Ansible, quatre démarrages par site',
  xargsBoots: 'xargs -P5 ssh, quatre démarrages',
  ansibleSame: 'Ansible, le programme de Vigie',
  xargsSame: 'xargs -P5 ssh, le programme de Vigie',
};
const aims = { inspect: 5, scan: 200, ofBoots: 0.9 };

export function reportSites({ count, passes, bootMs }: SitesFigures): void {
  const medianPerSite = (name: Name, field: keyof Measured) => median(passes[name].map((pass) => pass[field])) / count;
  const sitesPerSecond = (name: Name) => 1000 / medianPerSite(name, 'ms');
  const row = (name: Name) => [
    names[name],
    `${number(sitesPerSecond(name), 1)} /s`,
    milliseconds(medianPerSite(name, 'clientMs')),
    milliseconds(medianPerSite(name, 'hostMs')),
    name === 'inspect' ? '' : times(sitesPerSecond('inspect') / sitesPerSecond(name)),
    name === 'scan' || name === 'inspect' ? '' : times(sitesPerSecond('scan') / sitesPerSecond(name)),
  ];
  console.log(`\n${fr`${count} sites WordPress d’un serveur`}`);
  printTable(
    ['', 'sites', 'processeur ici', 'là-bas', 'Vigie interroge', 'Vigie lit'],
    (Object.keys(names) as Name[]).map(row),
  );
  const comparedToAnsible = (name: Name) => sitesPerSecond(name) / sitesPerSecond('ansibleBoots');
  const allowed = (availableParallelism() * 1000) / bootMs;
  const ofBoots = sitesPerSecond('inspect') / allowed;
  console.log(fr`
  Interroger, contre Ansible et ses quatre démarrages : ${times(comparedToAnsible('inspect'))}, ${aim(`≥ ${aims.inspect}`, comparedToAnsible('inspect') >= aims.inspect)}.
  Lire, contre le même : ${times(comparedToAnsible('scan'))}, ${aim(`≥ ${aims.scan}`, comparedToAnsible('scan') >= aims.scan)}.
  Un démarrage seul coûte ${milliseconds(bootMs)} de processeur : ${number(allowed, 1)} sites par seconde au plus ici. Vigie en tient
  ${number(ofBoots, 2)}, ${aim(`≥ ${number(aims.ofBoots, 1)}`, ofBoots >= aims.ofBoots)}.

  De vrais sites WordPress sous MariaDB, derrière un sshd privé à ses réglages par défaut. Vigie : libs/wordpress sur une
  connexion ouverte, 4 sites à la fois pour les interroger, tous en une fois pour les lire. Les rivaux posent les mêmes
  questions (version, mise à jour du cœur, extensions, thèmes) par un démarrage de WordPress chacune, comme le fait la
  ligne de commande, puis, à armes égales, par le programme de Vigie. Personne n’interroge WordPress.org. Ansible :
  25 forks, pipelining, ControlPersist, connexions ouvertes à la première passe. Médiane de passes alternées ; les sites et
  ceux qui les interrogent se partagent les mêmes cœurs.`);
}
