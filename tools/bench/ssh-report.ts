import { fr, seconds } from '../terminal';
import { type Transfer, channels, roundTripMs } from './ssh-transfers';
import { aim, milliseconds, number, printTable, times } from './table';

type Pair<T> = { own: T; rival: T };
export type Commands = {
  warm: Pair<{ p50: number; p99: number }>;
  cold: Pair<{ p50: number; p99: number }>;
  cpuMs: Pair<number>;
};
export type Fleet = {
  own: { ms: number; failures: readonly string[]; drops: number };
  rival: { ms: number; failures: number; drops: number };
  rounds: number;
};

const maxMegabytes = 150;

const commandsLegend = fr`
  Un sshd privé, aux réglages par défaut, sur la même machine ; clé Ed25519, curve25519-sha256 et aes128-gcm des deux
  côtés ; rondes alternées. Vigie : un processus qui dure, code déjà compilé, où libs/ssh exécute « true ».
  Connexion ouverte : par le pool, contre un processus ssh par commande sur la connexion partagée d’un ControlMaster.
  Nouvelle connexion : connexion, « true » et fermeture, contre un processus ssh entier, sans partage.
  Processeur : utilisateur et système. Vigie : tous ses fils d’exécution ; ssh : ses processus, du fork à la fin.`;

const transfersLegend = fr`
  Connexion comprise, de fichier à fichier, en mémoire (/dev/shm) s’il y a la place, aes128-gcm des deux côtés, rondes
  alternées. Vigie calcule toujours l’empreinte SHA-256 de ce qui passe ; scp et ssh ne le font pas : la ligne « puis
  empreinte » leur fait faire le même travail, par openssl. Rapport : la vitesse de Vigie sur celle de l’autre.
  À ${roundTripMs} ms : un relais retarde chaque sens de ${roundTripMs / 2} ms sans limiter le débit ; Vigie lit par ${channels} canaux d’une connexion.
  Après chaque transfert, l’empreinte de la copie est comparée à celle de l’original. Mémoire : le plus haut du processus.`;

export function reportCommands({ warm, cold, cpuMs }: Commands): void {
  const row = (name: string, { own, rival }: Pair<number>, max: number) => [
    name,
    precise(own),
    precise(rival),
    times(own / rival),
    aim(`≤ ${number(max, 2)}`, own / rival <= max),
  ];
  const p50 = ({ own, rival }: Commands['warm']) => ({ own: own.p50, rival: rival.p50 });
  const p99 = ({ own, rival }: Commands['warm']) => ({ own: own.p99, rival: rival.p99 });
  console.log(`\n${fr`SSH : commandes et connexions`}`);
  printTable(
    ['', 'Vigie', 'ssh', 'rapport', ''],
    [
      row('« true », connexion ouverte, p50', p50(warm), 0.5),
      [...row('« true », connexion ouverte, p99', p99(warm), 0.5).slice(0, 4), aim('≤ 10\u00a0ms', warm.own.p99 <= 10)],
      row('nouvelle connexion + « true », p50', p50(cold), 0.5),
      row('nouvelle connexion + « true », p99', p99(cold), 0.5).slice(0, 4),
      row('processeur par connexion', cpuMs, 0.6),
    ],
  );
  console.log(commandsLegend);
}

const precise = (value: number) => (value < 20 ? `${number(value, 1)}\u00a0ms` : milliseconds(value));

export function reportFleet(hosts: number, { own, rival, rounds }: Fleet): void {
  const tries = hosts * rounds;
  console.log(`\n${fr`SSH : ${hosts} hôtes d’un coup`}`);
  printTable(
    ['', 'Vigie', 'xargs -P8 ssh', 'rapport', ''],
    [
      ['temps', seconds(own.ms), seconds(rival.ms), times(own.ms / rival.ms), ''],
      ['échecs visibles', `${own.failures.length}`, `${rival.failures}`, '', aim('aucun', own.failures.length === 0)],
      ['connexions coupées par sshd', `${own.drops}`, `${rival.drops}`, '', ''],
    ],
  );
  for (const failure of new Set(own.failures)) console.log(`  ${failure}`);
  console.log(fr`
  ${hosts} clés d’un SshPool à ses limites par défaut, toutes demandées au même instant, « true » sur chacune ; le sshd
  derrière est le même, à MaxStartups 10:30:100 et MaxSessions 10. Temps : médiane de ${rounds} rondes ; échecs et coupures :
  leur somme sur ${number(tries)} essais. Une connexion que sshd coupe avant de dire son nom est reprise par le pool.`);
}

const titles = {
  download: (size: string) => fr`lire ${size}`,
  upload: (size: string) => fr`écrire ${size}`,
  far: (size: string) => fr`lire ${size} à ${roundTripMs} ms`,
};
const minRatios = { download: 0.6, upload: 0.6, far: 0.9 };

export function reportTransfers(transfers: readonly Transfer[]): void {
  const rows = transfers.flatMap(({ kind, bytes, ownMs, rivals }) =>
    rivals.map(({ name, ms }, index) => [
      index === 0 ? titles[kind](formatSize(bytes)) : '',
      speed(bytes, ownMs),
      name,
      speed(bytes, ms),
      times(ms / ownMs),
      index === 0 ? aim(`≥ ${number(minRatios[kind], 2)}`, ms / ownMs >= minRatios[kind]) : '',
    ]),
  );
  const peak = Math.max(...transfers.map(({ peakMegabytes }) => peakMegabytes));
  console.log(`\n${fr`SSH : transferts`}`);
  printTable(['', 'Vigie', 'rival', '', 'rapport', ''], rows);
  const peaks = transfers.map(
    ({ kind, bytes, peakMegabytes }) => fr`${titles[kind](formatSize(bytes))} ${number(peakMegabytes)} Mo`,
  );
  console.log(fr`  mémoire : ${peaks.join(', ')} ; ${aim(`< ${maxMegabytes}\u00a0Mo`, peak < maxMegabytes)}`);
  console.log(transfersLegend);
}

const formatSize = (bytes: number) =>
  bytes >= 2 ** 30 ? `${number(bytes / 2 ** 30)}\u00a0Gio` : `${number(bytes / 2 ** 20)}\u00a0Mio`;
const speed = (bytes: number, ms: number) => `${number(bytes / 1000 / ms)}\u00a0Mo/s`;
