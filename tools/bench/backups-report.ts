import { fr } from '../terminal';
import { aim, milliseconds, number, printTable } from './table';

type Backups = Record<
  | 'files'
  | 'bytes'
  | 'dumpBytes'
  | 'packMs'
  | 'packMemory'
  | 'tarMs'
  | 'dumpMs'
  | 'entries'
  | 'listMs'
  | 'verifyMs'
  | 'copyMs'
  | 'scpMs'
  | 'copyMemory',
  number
>;

const maxPack = 1.2;
const maxCopy = 1.2;
const maxListMs = 1_000;
const maxMemory = 32;
const megabytes = (bytes: number) => bytes / 1_048_576;

export function reportBackups(figures: Backups): void {
  const seconds = (ms: number) => `${number(ms / 1000, 2)} s`;
  const rate = (ms: number) => `${number(megabytes(figures.bytes) / (ms / 1000))} Mo/s`;
  const rival = figures.tarMs + figures.dumpMs;
  const row = (name: string, ms: number, reference: number) => [name, seconds(ms), rate(ms), number(ms / reference, 2)];
  console.log(
    `\n${fr`Un site de ${number(figures.files)} fichiers et ${number(megabytes(figures.dumpBytes))} Mo de base : une archive de ${number(megabytes(figures.bytes))} Mo`}`,
  );
  printTable(
    ['', 'temps', 'débit', 'rapport'],
    [
      row('tar + mariadb-dump', rival, rival),
      row('Vigie, la sauvegarde entière', figures.packMs, rival),
      row('scp', figures.scpMs, figures.scpMs),
      row('Vigie, la copie avec ses empreintes', figures.copyMs, figures.scpMs),
      row('Vigie, la vérification', figures.verifyMs, figures.scpMs),
    ],
  );
  const [pack, copy] = [figures.packMs / rival, figures.copyMs / figures.scpMs];
  const memory = megabytes(figures.packMemory);
  console.log(fr`
  Sauvegarde : ${aim(`≤ ${number(maxPack, 1)}`, pack <= maxPack)} (tar ${seconds(figures.tarMs)}, mariadb-dump ${seconds(figures.dumpMs)}).
  Copie : ${aim(`≤ ${number(maxCopy, 1)}`, copy <= maxCopy)}. Liste de ${number(figures.entries)} entrées : ${milliseconds(figures.listMs)}, ${aim('< 1 s', figures.listMs < maxListMs)}.
  Mémoire de PHP : ${number(memory)} Mo, ${aim(`≤ ${maxMemory} Mo`, memory <= maxMemory)} ; de l’agent pendant la copie : +${number(megabytes(figures.copyMemory))} Mo.

  De vraies commandes sur un vrai site : la sauvegarde va de l’ordre à la fin de l’opération, la copie jusqu’au disque,
  comparée à l’empreinte que le serveur a calculée pendant ce temps ; tar et mariadb-dump n’ont ni l’une ni l’autre.`);
}
