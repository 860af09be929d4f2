import { fr, seconds } from '../terminal';
import { median } from './statistics';
import { aim, number, printTable, times } from './table';

export type Round = { own: number; shell: number; raw: number };
type Measured = { count: number; servers: number; cold: number; rounds: readonly Round[] };

const min = 5;

export function reportHealth({ count: serverCount, servers: sshdCount, cold, rounds }: Measured): void {
  const own = median(rounds.map((round) => round.own));
  const row = (name: string, ms: number, verdict = '') => [
    name,
    seconds(ms),
    `${number(serverCount / (ms / 1000))} /s`,
    ms === own ? '' : times(ms / own),
    verdict,
  ];
  const shell = median(rounds.map((round) => round.shell));
  const raw = median(rounds.map((round) => round.raw));
  console.log(`\n${fr`Santé de ${serverCount} serveurs`}`);
  printTable(
    ['', 'temps', 'débit', 'Vigie va', ''],
    [
      row('Vigie, connexions ouvertes', own),
      row('Ansible, module shell', shell, aim(`≥ ${min}`, shell / own >= min)),
      row('Ansible, module raw', raw),
      row('Vigie, première fois', cold),
    ],
  );
  console.log(fr`
  La même sonde (vitals.sh), les mêmes hôtes : ${sshdCount} sshd privés sur cette machine pour ${serverCount} serveurs, à leurs réglages
  par défaut. Vigie : le produit entier, de la demande (fresh=1) à la dernière mesure enregistrée, attente du prochain
  battement comprise. Ansible : la commande entière, 25 forks, pipelining, ControlPersist ; ses connexions sont ouvertes
  d’avance. Le module shell lance Python sur l’hôte, le module raw rien. Médiane de ${rounds.length} rondes alternées.
  Les hôtes et ceux qui les interrogent se partagent les mêmes cœurs.`);
}
