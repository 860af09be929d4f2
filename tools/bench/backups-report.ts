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

export function reportBackups(seen: Backups): void {
  const seconds = (ms: number) => `${number(ms / 1000, 2)} s`;
  const rate = (ms: number) => `${number(megabytes(seen.bytes) / (ms / 1000))} Mo/s`;
  const rival = seen.tarMs + seen.dumpMs;
  const row = (name: string, ms: number, than: number) => [name, seconds(ms), rate(ms), number(ms / than, 2)];
  console.log(
    `\n${fr`Un site de ${number(seen.files)} fichiers et ${number(megabytes(seen.dumpBytes))} Mo de base : une archive de ${number(megabytes(seen.bytes))} Mo`}`,
  );
  printTable(
    ['', 'temps', 'débit', 'rapport'],
    [
      row('tar + mariadb-dump', rival, rival),
      row('Vigie, la sauvegarde entière', seen.packMs, rival),
      row('scp', seen.scpMs, seen.scpMs),
      row('Vigie, la copie avec ses empreintes', seen.copyMs, seen.scpMs),
      row('Vigie, la vérification', seen.verifyMs, seen.scpMs),
    ],
  );
  const [pack, copy] = [seen.packMs / rival, seen.copyMs / seen.scpMs];
  const memory = megabytes(seen.packMemory);
  console.log(fr`
  Sauvegarde : ${aim(`≤ ${number(maxPack, 1)}`, pack <= maxPack)} (tar ${seconds(seen.tarMs)}, mariadb-dump ${seconds(seen.dumpMs)}).
  Copie : ${aim(`≤ ${number(maxCopy, 1)}`, copy <= maxCopy)}. Liste de ${number(seen.entries)} entrées : ${milliseconds(seen.listMs)}, ${aim('< 1 s', seen.listMs < maxListMs)}.
  Mémoire de PHP : ${number(memory)} Mo, ${aim(`≤ ${maxMemory} Mo`, memory <= maxMemory)} ; de l’agent pendant la copie : +${number(megabytes(seen.copyMemory))} Mo.

  De vraies commandes sur un vrai site : la sauvegarde va de l’ordre à la fin de l’opération, la copie jusqu’au disque,
  comparée à l’empreinte que le serveur a calculée pendant ce temps ; tar et mariadb-dump n’ont ni l’une ni l’autre.`);
}
