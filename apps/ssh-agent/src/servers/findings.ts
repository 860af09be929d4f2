import type { DiagnosisStep } from '@vigie/contracts/servers';
import { readable } from '@vigie/ssh/failure';

type Finding = Pick<DiagnosisStep, 'state' | 'message' | 'remedy'>;
/** The values that a host printed, by their word. It is untrusted text. */
export type HostValues = ReadonlyMap<string, readonly string[]>;

const maxLines = 200;
/** The most entries that are read of a list. */
const maxListed = 12;
const fullPercent = 90;
const minFreeKiB = 1_048_576;
const minPhp = [7, 4] as const;
const maxSkewSeconds = 60;

export function parseHostValues(output: string): HostValues {
  const values = new Map<string, string[]>();
  for (const line of output.split('\n', maxLines)) {
    const at = line.indexOf('\t');
    if (at < 1) continue;
    const word = line.slice(0, at);
    values.set(word, [...(values.get(word) ?? []), line.slice(at + 1).trim()]);
  }
  return values;
}

const ok = (message: string): Finding => ({ state: 'ok', message, remedy: null });
const warn = (message: string, remedy: string): Finding => ({ state: 'warning', message, remedy });
const first = (values: HostValues, word: string) => values.get(word)?.[0] ?? '';

/** `Linux web-03 6.1.0 x86_64`. */
export const systemOf = (values: HostValues) => readable(first(values, 'system')) || 'système inconnu';

export function shellFinding(values: HostValues): Finding {
  return ok(
    `Les commandes s’exécutent en tant que ${readable(first(values, 'user')) || 'utilisateur inconnu'} sur ${systemOf(values)}.`,
  );
}

export function filesFinding(values: HostValues): Finding {
  if (values.has('files')) return ok(`Le dossier ${readable(first(values, 'files'))} accepte des fichiers.`);
  const reason = readable(first(values, 'nofiles'));
  return warn(
    `Aucun fichier ne peut être écrit dans le dossier personnel${reason === '' ? '' : `\u00a0: ${reason}`}.`,
    'Donnez à ce compte un dossier personnel où il peut écrire, et de la place\u00a0: les opérations y tiennent leur journal.',
  );
}

export function childFinding(didSurvive: boolean | undefined): Finding {
  if (didSurvive) return ok('Une tâche de fond survit à la fin de la connexion.');
  if (didSurvive === undefined) {
    return warn(
      'La survie des tâches de fond n’a pas pu être observée.',
      'Relancez le test\u00a0: une seconde connexion était nécessaire.',
    );
  }
  return warn(
    'Les tâches de fond sont arrêtées à la fin de la connexion.',
    'Les opérations tourneront attachées à leur connexion. Pour l’éviter\u00a0: KillUserProcesses=no dans logind.conf, ou «\u00a0loginctl enable-linger\u00a0».',
  );
}

type Php = { path: string; version: string; sapi: string };

export function phpFinding(values: HostValues): Finding {
  const all = (values.get('php') ?? []).slice(0, maxListed).flatMap((line) => phpOf(line) ?? []);
  const usable = all.filter(({ version, sapi }) => sapi === 'cli' && isRecent(version));
  const list = usable.map(({ path, version }) => `${version} (${path})`).join(', ');
  if (usable.length > 0) return ok(`PHP en ligne de commande\u00a0: ${list}.`);
  const remedy =
    'Installez PHP 7.4 ou plus récent en ligne de commande (paquet php-cli), pour les sites de ce serveur.';
  if (all.length === 0) return warn('Aucun PHP en ligne de commande n’a été trouvé.', remedy);
  const found = all
    .map(({ path, version, sapi }) => `${path} (${version || 'ne répond pas'}${sapi && `, ${sapi}`})`)
    .join(', ');
  return warn(`Aucun PHP utilisable\u00a0: ${found}.`, remedy);
}

/** `8.2.20 cli /usr/bin/php8.2`, or the path alone if this PHP did not answer. */
function phpOf(line: string): Php | undefined {
  const at = line.indexOf('/');
  if (at < 0) return undefined;
  const [version = '', sapi = ''] = line.slice(0, at).trim().split(' ');
  const isVersion = /^\d{1,2}\.\d{1,3}[\w.+~-]{0,40}$/.test(version);
  return { path: readable(line.slice(at)), version: isVersion ? version : '', sapi: isVersion ? readable(sapi) : '' };
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minPhp[0] || (major === minPhp[0] && minor >= minPhp[1]);
}

type DiskSpace = { mount: string; percent: number; freeKiB: number };

/** The lines of `df -P`: device, blocks, used, available, percent, mount. */
const diskSpaceOf = (line: string): DiskSpace | undefined => {
  const [, free, percent, mount] = /\s(\d+)\s+(\d{1,3})%\s+(\/.*)$/.exec(line) ?? [];
  return mount === undefined ? undefined : { mount: readable(mount), percent: Number(percent), freeKiB: Number(free) };
};

export function diskFinding(values: HostValues): Finding {
  const disks = (values.get('disk') ?? []).slice(0, maxListed).flatMap((line) => diskSpaceOf(line) ?? []);
  const inodes = (values.get('inodes') ?? []).flatMap((line) => diskSpaceOf(line) ?? []);
  if (disks.length === 0) return warn('L’espace libre n’a pas pu être lu.', 'Vérifiez que la commande df est là.');
  const full = disks.find(({ percent, freeKiB }) => percent >= fullPercent || freeKiB < minFreeKiB);
  if (full) {
    return warn(
      `${full.mount} est plein à ${full.percent}\u00a0%\u00a0: ${sizeOf(full.freeKiB)} libres.`,
      'Libérez de la place\u00a0: une mise à jour ou une sauvegarde pourrait échouer.',
    );
  }
  const crowded = inodes.find(({ percent }) => percent >= fullPercent);
  if (crowded) {
    return warn(
      `${crowded.mount} n’a presque plus d’inodes libres (${crowded.percent}\u00a0% pris).`,
      'Supprimez des petits fichiers (sessions, caches, courriels)\u00a0: plus aucun fichier ne pourra être créé.',
    );
  }
  const list = [...new Map(disks.map((disk) => [disk.mount, disk])).values()];
  return ok(`${list.map(({ mount, freeKiB }) => `${sizeOf(freeKiB)} libres sur ${mount}`).join(', ')}.`);
}

/** Compares the clock of the host with ours at the time of the answer. */
export function clockFinding(values: HostValues, now: number): Finding {
  const time = Number(first(values, 'time'));
  if (!Number.isInteger(time) || time <= 0)
    return warn('L’heure du serveur n’a pas pu être lue.', 'Vérifiez que la commande date est là.');
  const skew = Math.round(time - now / 1000);
  if (Math.abs(skew) <= maxSkewSeconds) return ok('L’heure du serveur est juste.');
  return warn(
    `L’heure du serveur ${skew > 0 ? 'avance' : 'retarde'} de ${Math.abs(skew).toLocaleString('fr-FR')}\u00a0s.`,
    'Activez la synchronisation de l’heure (timedatectl set-ntp true)\u00a0: les certificats et les dates des sauvegardes en dépendent.',
  );
}

function sizeOf(kib: number): string {
  const units = ['Kio', 'Mio', 'Gio', 'Tio'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.max(kib, 1)) / Math.log(1024))));
  const value = (kib / 1024 ** step).toLocaleString('fr-FR', { maximumFractionDigits: 1 });
  return `${value}\u00a0${units[step]}`;
}
