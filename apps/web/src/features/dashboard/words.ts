import type { Summary, TodoGroup } from '@vigie/contracts/dashboard';
import { plural, formatNumber } from '../../ui/plural';
import type { Tone } from '../../ui/Status';
import { type FleetSite, states, toneOf } from './fleet';

export const formatCount = (count: number | null | undefined): string =>
  count === null || count === undefined ? '—' : formatNumber(count);

/** Null when no site was ever scanned. */
export function countUpdates(updates: Summary['updates'] | undefined): number | null {
  const counts = Object.values(updates ?? {}).flatMap((count) => count ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count);
}

type TodoText = { tone: Tone; word: string; sentence: string };

const todoTexts: Readonly<Record<TodoGroup['kind'], (count: number) => TodoText>> = {
  sites_down: (count) => ({
    tone: 'danger',
    word: 'Erreur',
    sentence: plural(count, 'site en erreur', 'sites en erreur'),
  }),
  servers_in_alert: (count) => ({
    tone: 'danger',
    word: 'Alerte',
    sentence: plural(count, 'serveur en alerte', 'serveurs en alerte'),
  }),
  jobs_failed: (count) => ({
    tone: 'danger',
    word: 'Échec',
    sentence: plural(count, 'tâche n’a pas abouti', 'tâches n’ont pas abouti'),
  }),
  proposals: (count) => ({
    tone: 'warn',
    word: 'Proposition',
    sentence: plural(count, 'proposition à confirmer', 'propositions à confirmer'),
  }),
  backups_never: (count) => ({
    tone: 'warn',
    word: 'Sauvegarde',
    sentence: plural(count, 'site n’a jamais été sauvegardé', 'sites n’ont jamais été sauvegardés'),
  }),
  backups_late: (count) => ({
    tone: 'warn',
    word: 'Sauvegarde',
    sentence: `${plural(count, 'site a', 'sites ont')} plus de 7\u00a0jours sans sauvegarde`,
  }),
  updates: (count) => ({
    tone: 'update',
    word: 'Mise à jour',
    sentence: plural(count, 'site attend des mises à jour', 'sites attendent des mises à jour'),
  }),
};

/** A line of changes that were all undone says so, since their sites are as they were before. */
export function describeTodo(line: TodoGroup): TodoText {
  const { kind, count } = line;
  if (kind === 'jobs_failed' && line.undone === count) {
    const sentence = plural(count, 'modification annulée, site rétabli', 'modifications annulées, sites rétablis');
    return { tone: 'warn', word: 'Annulée', sentence };
  }
  return todoTexts[kind](count);
}

export type Step = {
  id: 'server' | 'sites' | 'backup' | 'two-factor';
  title: string;
  about: string;
  isDone: boolean;
};

export const firstSteps = ({ counts, sites_backed_up: backedUp }: Summary, hasTwoFactor: boolean): Step[] => [
  {
    id: 'server',
    title: 'Ajouter un serveur',
    about: 'La machine qui héberge vos sites\u00a0: un accès SSH suffit.',
    isDone: counts.servers > 0,
  },
  {
    id: 'sites',
    title: 'Découvrir les sites',
    about:
      'Choisissez un serveur, puis «\u00a0Découvrir les sites\u00a0»\u00a0: Vigie liste les WordPress qui s’y trouvent.',
    isDone: counts.sites > 0,
  },
  {
    id: 'backup',
    title: 'Faire une première sauvegarde',
    about: 'Ouvrez un site, puis «\u00a0Créer une sauvegarde\u00a0».',
    isDone: backedUp > 0,
  },
  {
    id: 'two-factor',
    title: 'Activer la double authentification',
    about: 'Cette console donne accès à tous vos sites\u00a0: un mot de passe seul ne suffit pas.',
    isDone: hasTwoFactor,
  },
];

/** "Erreur : Le site répond 500, 3 mises à jour, sur web-1". */
export function siteDetails(site: FleetSite, server: string | undefined): string {
  const tone = toneOf(site);
  const word = tone === 'updates' ? 'OK' : (states.find((state) => state.tone === tone)?.word ?? '');
  const details = [
    `${word}${site.reason === null ? '' : `\u00a0: ${site.reason.replace(/\.$/, '')}`}`,
    site.updates > 0 ? plural(site.updates, 'mise à jour', 'mises à jour') : '',
    server === undefined ? '' : `sur ${server}`,
  ];
  return details.filter(Boolean).join(', ');
}

export const describeSite = (site: FleetSite, server: string | undefined): string =>
  `${site.name}, ${siteDetails(site, server)}`;

/** "Mettre à jour ces 12 sites…"; a batch takes so many at a time. */
export function actionLabel(verb: string, { count, ids }: Pick<TodoGroup, 'count' | 'ids'>): string {
  if (ids.length === 1) return `${verb} ce site…`;
  const sites =
    count > ids.length ? `${formatNumber(ids.length)}\u00a0sites` : `ces ${plural(ids.length, 'site', 'sites')}`;
  return `${verb} ${sites}…`;
}
