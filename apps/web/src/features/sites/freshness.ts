import type { SiteProblem, SiteState } from '@vigie/contracts/inventory';
import type { Site } from '@vigie/contracts/sites';

type Reading = { depth: SiteState['depth']; problem: Pick<SiteProblem, 'kind'> | null };

/** Problems found by starting WordPress: the inspection then starts it again without plugins and theme. */
const bootProblems: readonly SiteProblem['kind'][] = ['fatal', 'ended_early', 'timeout'];

const isWithoutPlugins = ({ depth, problem }: Reading): boolean =>
  depth === 'inspect' && problem !== null && bootProblems.includes(problem.kind);

/** How the site was last read; the age follows. */
export function spellReading(reading: Reading): string {
  if (reading.depth === 'scan') return 'Fichiers lus';
  return isWithoutPlugins(reading) ? 'Lu sans plugins ni thème' : 'Lu';
}

/** Says which part of the inventory is still accurate for a site that does not start. */
export const spellInventory = (reading: Reading): string =>
  `Vigie ${isWithoutPlugins(reading) ? 'l’a lu sans ses plugins ni son thème' : 'a lu ses fichiers sans le démarrer'}\u00a0: la liste de ses plugins et de ses thèmes reste juste, leurs mises à jour datent de la dernière recherche réussie.`;

/** The search for updates of a whole site: the oldest success of its three kinds, and why the last one failed. */
export function lastSearch(checks: NonNullable<Site['checks']>): { at: string | null; error: string | undefined } {
  const all = [checks.core, checks.plugins, checks.themes];
  const dates = all.map(({ checked_at: at }) => at ?? '');
  const errors = new Set(all.flatMap(({ error }) => error ?? []));
  return {
    // A kind that was never looked for sorts first.
    at: dates.reduce((oldest, date) => (date < oldest ? date : oldest)) || null,
    error: errors.size === 0 ? undefined : [...errors].join(' '),
  };
}

const staleMs = 48 * 3_600_000;

/** Vigie looks at each site at least once a day. */
export const isStale = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) > staleMs;
