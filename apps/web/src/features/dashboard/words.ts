import type { Summary, TodoGroup } from '@vigie/contracts/dashboard';
import { plural, formatNumber } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

export const formatCount = (count: number | null | undefined): string =>
  count === null || count === undefined ? '—' : formatNumber(count);

/** Null when no site was ever scanned. */
export function countUpdates(updates: Summary['updates'] | undefined): number | null {
  const counts = Object.values(updates ?? {}).flatMap((count) => count ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count);
}

type TodoText = { tone: Tone; word: string; sentence: string };

export function describeTodo({ kind, count }: Pick<TodoGroup, 'kind' | 'count'>): TodoText {
  const texts: Readonly<Record<TodoGroup['kind'], () => TodoText>> = {
    sites_down: () => ({
      tone: 'danger',
      word: 'Erreur',
      sentence: plural(count, 'site en erreur', 'sites en erreur'),
    }),
    servers_in_alert: () => ({
      tone: 'danger',
      word: 'Alerte',
      sentence: plural(count, 'serveur en alerte', 'serveurs en alerte'),
    }),
    jobs_failed: () => ({
      tone: 'danger',
      word: 'Échec',
      sentence: plural(count, 'tâche n’a pas abouti', 'tâches n’ont pas abouti'),
    }),
    backups_never: () => ({
      tone: 'warn',
      word: 'Sauvegarde',
      sentence: plural(count, 'site n’a jamais été sauvegardé', 'sites n’ont jamais été sauvegardés'),
    }),
    backups_late: () => ({
      tone: 'warn',
      word: 'Sauvegarde',
      sentence: `${plural(count, 'site a', 'sites ont')} plus de 7\u00a0jours sans sauvegarde`,
    }),
    updates: () => ({
      tone: 'warn',
      word: 'Mise à jour',
      sentence: plural(count, 'site attend des mises à jour', 'sites attendent des mises à jour'),
    }),
  };
  return texts[kind]();
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
