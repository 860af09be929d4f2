import {
  quarantinedRule,
  type Maintenance,
  type Proposal,
  type Repair,
  RepairTarget,
} from '@vigie/contracts/site-repairs';
import { cleanText } from './clean';

/** Sentences by the reason that the host reports. */
const refusals = {
  missing: ['Cet élément n’est plus là.', 'Relancez l’examen du site.'],
  changed: [
    'Le fichier .maintenance n’est plus celui qui avait été vu\u00a0: une autre mise à jour a peut-être commencé.',
    'Relancez l’examen du site.',
  ],
  link: [
    'C’est un lien symbolique, ou son chemin en contient un\u00a0: Vigie ne suit pas les liens.',
    'Déplacez-le à la main, dans la console du serveur.',
  ],
  folder: ['.maintenance est un dossier.', 'Regardez ce qu’il contient, puis retirez-le à la main.'],
  occupied: [
    'Un élément de ce nom est déjà à cette place\u00a0: rien n’est remplacé.',
    'Retirez-le d’abord, ou laissez celui-ci de côté.',
  ],
  no_folder: ['Le dossier où il était n’existe plus.', 'Recréez ce dossier, puis recommencez.'],
  read_only: [
    'Ce compte n’a pas le droit de déplacer ces fichiers.',
    'Donnez ce droit au propriétaire du site (chmod u+w), ou connectez-vous avec le compte à qui ils appartiennent.',
  ],
  last_theme: [
    'C’est le seul thème de ce site\u00a0: WordPress n’en aurait plus aucun à afficher.',
    'Installez d’abord un autre thème.',
  ],
  other_disk: [
    'Il est sur un autre disque que le dossier de mise de côté\u00a0: Vigie ne déplace rien d’un disque à l’autre.',
    'Déplacez-le à la main, dans la console du serveur.',
  ],
  failed: ['Le serveur a refusé ce déplacement.', 'Regardez les droits et la place sur ce disque, puis recommencez.'],
} as const;

export type RefusalCode = keyof typeof refusals;

export function codeOf(reason: string | null | undefined): RefusalCode | null {
  if (reason === null || reason === undefined) return null;
  return Object.hasOwn(refusals, reason) ? (reason as RefusalCode) : 'failed';
}

export function refusalOf(code: RefusalCode, why = ''): { message: string; remedy: string } {
  const [message, remedy] = refusals[code];
  return { message: why === '' ? message : `${message} ${why}`, remedy };
}

const refusalIn = (code: RefusalCode | null): string | null => {
  if (code === null) return null;
  const { message, remedy } = refusalOf(code);
  return `${message} ${remedy}`;
};

/** Quotes a path for a command that people may copy; we never run it. */
const shellQuoted = (path: string) => `'${cleanText(path, 4_096).replaceAll("'", `'\\''`)}'`;

const moveCommand = (from: string, to: string) => `mv -n -- ${shellQuoted(from)} ${shellQuoted(to)}`;

export function proposeReopen(path: string, { mtime, holds }: Maintenance, code: RefusalCode | null): Proposal {
  const effects: Record<Maintenance['holds'], string> = {
    until:
      'Une mise à jour est peut-être encore en cours\u00a0: attendez sa fin avant de rouvrir le site, sinon des visiteurs verront des fichiers à moitié remplacés.',
    always: 'Ce fichier ferme le site tant qu’il est là. Dès qu’il est retiré, les visiteurs reviennent.',
    over: 'WordPress ignore déjà ce fichier, vieux de plus de dix minutes. Le retirer ne change rien d’autre.',
    unknown: 'Les visiteurs reviennent aussitôt, si rien d’autre n’arrête le site.',
  };
  return {
    repair: { action: 'end_maintenance', mtime },
    title: 'Mettre fin à la maintenance',
    effect: effects[holds],
    command: `rm -- ${shellQuoted(path)}`,
    refusal: refusalIn(code),
  };
}

const names: Record<RepairTarget, string> = {
  plugin: 'le plugin',
  theme: 'le thème',
  must_use: 'le plugin indispensable',
  drop_in: 'le drop-in',
};

const quarantineEffects: Record<RepairTarget, string> = {
  plugin: 'WordPress démarre sans lui. Si quelqu’un ouvre l’écran Extensions avant son retour, WordPress le désactive.',
  theme:
    'WordPress n’a plus rien pour afficher ses pages\u00a0: les visiteurs voient une page blanche jusqu’à ce que quelqu’un ouvre Apparence › Thèmes, où WordPress en choisit un autre.',
  must_use: 'WordPress démarre sans lui\u00a0: ce qu’il faisait sur ce site s’arrête.',
  drop_in: 'WordPress démarre sans lui et reprend ce qu’il remplaçait\u00a0: cache, base de données ou page d’erreur.',
};

type Suspect = { type: RepairTarget; slug: string; mark: string };
type Location = { folder: string; path?: string | null; name?: string | null; refused: RefusalCode | null };

export function proposeQuarantine({ type, slug, mark }: Suspect, { folder, path, name, refused }: Location): Proposal {
  const from = path ?? slug;
  const quarantineFolder = `${folder}/${type}`;
  return {
    repair: { action: 'set_aside', type, slug, mark },
    title: `Mettre de côté ${names[type]} ${slug}`,
    effect: quarantineEffects[type],
    command: `mkdir -p -m 700 -- ${shellQuoted(quarantineFolder)} && ${moveCommand(from, `${quarantineFolder}/${name ?? slug}-${mark}`)}`,
    refusal: refusalIn(refused),
  };
}

export function proposePutBack(id: string, from: string, to: string, code: RefusalCode | null): Proposal {
  const [, type, name = id] = quarantinedRule.exec(id) ?? [];
  return {
    repair: { action: 'put_back', aside: id },
    title: `Remettre ${names[RepairTarget.catch('plugin').parse(type)]} ${name.replace(/\.php$/, '')}`,
    effect:
      'Il reprend sa place tel qu’il était\u00a0: si c’est lui qui arrêtait le site, le site s’arrêtera de nouveau.',
    command: moveCommand(from, to),
    refusal: refusalIn(code),
  };
}

export function repairSentence(repair: Repair): string {
  if (repair.action === 'end_maintenance') {
    return 'La maintenance est terminée\u00a0: le fichier .maintenance est retiré.';
  }
  if (repair.action === 'set_aside') return `${names[repair.type].replace(/^l/, 'L')} ${repair.slug} est mis de côté.`;
  return `${quarantinedRule.exec(repair.aside)?.[2]?.replace(/\.php$/, '') ?? ''} est remis à sa place.`;
}
