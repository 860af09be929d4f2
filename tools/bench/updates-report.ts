import { fr } from '../terminal';
import { aim, milliseconds, number, printTable } from './table';

/** `cpuMs` is the processor time of all processes. */
export type Usage = { ms: number; cpuMs: number };
type Updates = { count: number; alone: Usage; product: Usage; states: Readonly<Record<string, unknown>> };

const maxRatio = 1.3;

export function reportUpdates({ count, alone, product, states }: Updates): void {
  const row = (name: string, { ms, cpuMs }: Usage) => [
    name,
    `${number(ms / 1000, 1)} s`,
    milliseconds(ms / count),
    number(ms / alone.ms, 2),
    milliseconds(cpuMs / count),
    number(cpuMs / alone.cpuMs, 2),
  ];
  console.log(`\n${fr`Une extension de ${count} sites mise à jour`}`);
  printTable(
    ['', 'en tout', 'par site', 'rapport', 'processeur par site', 'rapport'],
    [row('WordPress seul (bulk_upgrade)', alone), row('Vigie, de la demande à la fin', product)],
  );
  const ratio = product.ms / alone.ms;
  console.log(fr`
  ${number(Number(states['succeeded']))} sur ${count} réussies ; rapport ${aim(`≤ ${number(maxRatio, 1)}`, ratio <= maxRatio)}.

  De vrais sites WordPress sous MariaDB sur un serveur. WordPress seul : un PHP par site, autant à la fois que de cœurs,
  offres connues, sans rien autour. Vigie, par toute la chaîne : pages vues avant et après, copie de côté, mise à jour par
  le même upgrader, journaux lus, second regard 3,5 s plus tard et redémarrage de WordPress dans un processus neuf.
  Chaque site attend ses 3,5 s sans rien occuper : d’un site à l’autre ces attentes se recouvrent. Processeur : de toute la
  machine, base de données et PHP des visites compris.`);
}
