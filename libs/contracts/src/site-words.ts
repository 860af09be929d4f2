/** Sentences about a site that sites-svc sends and the web app shows. */
import type { SiteProblem } from './inventory';

const culprits: Record<NonNullable<SiteProblem['culprit']>['type'], string> = {
  plugin: 'Le plugin',
  theme: 'Le thème',
  must_use: 'Le plugin indispensable',
  drop_in: 'Le drop-in',
  core: 'WordPress lui-même',
};

const problems: Record<SiteProblem['kind'], string> = {
  fatal: 'Une erreur PHP arrête ce site.',
  ended_early: 'Quelque chose arrête ce site pendant son démarrage.',
  timeout: 'Ce site met trop de temps à démarrer.',
  database: 'Ce site ne joint pas sa base de données.',
  not_wordpress: 'Il n’y a pas de WordPress dans ce dossier.',
  no_php: 'Aucun PHP utilisable n’a été trouvé sur cet hôte.',
  unreadable: 'Les fichiers de ce site ne peuvent pas être lus.',
};

/** Names the error that stops a site, and its culprit where it is known. */
export function titleOf({ kind, culprit }: Pick<SiteProblem, 'kind' | 'culprit'>): string {
  if (!culprit) return problems[kind];
  const name = culprit.type === 'core' ? culprits.core : `${culprits[culprit.type]} ${culprit.slug}`;
  const verbs: Partial<Record<SiteProblem['kind'], string>> = {
    fatal: 'provoque une erreur PHP',
    ended_early: 'arrête le démarrage du site',
    timeout: 'ralentit trop le démarrage du site',
  };
  return `${name} ${verbs[kind] ?? 'empêche le site de démarrer'}.`;
}

type Updates = { core: number; plugins: number; themes: number };

const count = (number: number, word: string): string =>
  number > 0 ? `${number}\u00a0${word}${number > 1 ? 's' : ''}` : '';

/** "WordPress, 2 plugins, 1 thème"; empty without updates. */
export const spellUpdates = (updates: Updates | null): string =>
  updates
    ? [updates.core > 0 ? 'WordPress' : '', count(updates.plugins, 'plugin'), count(updates.themes, 'thème')]
        .filter(Boolean)
        .join(', ')
    : '';
