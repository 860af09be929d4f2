import type { ArchiveEntry } from '@vigie/contracts/backups';
import type { JobItem } from '@vigie/contracts/jobs';
import type { RestoreResult, RestoreScope } from '@vigie/contracts/restores';
import { scopeNames } from '../../kit/words/restores';
import { plural } from '../../ui/plural';
import type { RestoreOptions } from './restore-request';

type Part = Pick<RestoreOptions, 'scope' | 'path'>;
const quote = (name: string) => `«\u00a0${name}\u00a0»`;

export function describeScope({ scope, path }: Part, kind?: ArchiveEntry['kind']): string {
  if (scope === 'table') return `La table ${quote(path)}`;
  if (scope !== 'path') return scopeNames[scope];
  if (kind === 'file') return `Le fichier ${quote(path)}`;
  return kind === 'folder' ? `Le dossier ${quote(path)} et tout ce qu’il contient` : `Seulement ${quote(path)}`;
}

export const restoreSteps = ({ isLocal }: { isLocal: boolean }): string[] => [
  isLocal
    ? 'La copie de Vigie est envoyée à l’hôte du site et lue en entier. Si elle est abîmée, la restauration s’arrête là.'
    : 'L’archive est lue en entier. Si elle est abîmée, la restauration s’arrête là.',
  'Le site est sauvegardé tel qu’il est maintenant. Vous pourrez y revenir par «\u00a0Revenir à l’état d’avant\u00a0», ou en restaurant cette sauvegarde de la liste.',
  'Pendant l’échange, les visiteurs voient la page de maintenance de WordPress. Si quelque chose échoue, le site reste tel qu’il était.',
];

/** Ignores the scheme, `www.` and a trailing slash. */
export const isSameSite = (url: string, otherUrl: string): boolean =>
  normalizeAddress(url) === normalizeAddress(otherUrl);

function normalizeAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`;
}

export const otherSiteWarning = (origin: string, url: string): string =>
  `Cette archive vient de ${origin}, et non de ${url}. Son contenu sera restauré ici, avec les adresses de ce site-ci.`;

const restoredTexts: Readonly<Record<Exclude<RestoreScope, 'path' | 'table'>, string>> = {
  all: 'Le site est restauré',
  database: 'La base de données est restaurée',
  uploads: 'Les médias sont restaurés',
  plugins: 'Les plugins sont restaurés',
  themes: 'Les thèmes sont restaurés',
};

/** "Les médias sont restaurés depuis boutique.wpress." */
export function describeRestore({ scope, path, filename }: Pick<RestoreResult, 'scope' | 'path' | 'filename'>): string {
  const from = ` depuis ${filename}.`;
  if (scope === 'table') return `La table ${quote(path)} est restaurée${from}`;
  return scope === 'path' ? `${quote(path)} est restauré${from}` : `${restoredTexts[scope]}${from}`;
}

type Counts = Pick<RestoreResult, 'files' | 'tables' | 'rows' | 'removed'>;

/** "1 204 fichiers · 12 tables · 3 400 lignes · 2 retirés", without zeros. */
export function formatCounts({ files, tables, rows, removed }: Counts): string {
  const parts = [
    [files, 'fichier', 'fichiers'],
    [tables, 'table', 'tables'],
    [rows, 'ligne', 'lignes'],
    [removed, 'retiré', 'retirés'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, url, many]) => plural(count, url, many))
    .join(' · ');
}

/** Undefined for an error, which the warnings already name. */
export const homePageText = (status: RestoreResult['http_status']): string | undefined =>
  status !== null && status >= 200 && status < 400 ? `La page d’accueil répond (${status}).` : undefined;

export const skippedText = (count: number): string =>
  `${plural(count, 'élément de l’archive n’a pas été restauré', 'éléments de l’archive n’ont pas été restaurés')}\u00a0: Vigie ne restaure jamais ce genre de fichier.`;

/** Undefined when the error of the host already says that the site is unchanged. */
export function failureConsequence({
  kind,
  state,
  error,
}: Pick<JobItem, 'kind' | 'state' | 'error'>): string | undefined {
  const isAlreadySaid = error?.message.includes('comme avant') === true;
  if (kind !== 'backups.restore' || state !== 'failed' || isAlreadySaid) return undefined;
  return 'Le site est comme avant\u00a0: rien n’a été restauré.';
}
