import { ChangeOutcome, type ChangeChecks } from '@vigie/contracts/changes';
import type { Job } from '@vigie/contracts/jobs';
import { isUndone } from '../../kit/job/words';
import { formatNumber } from '../../ui/plural';

type EndedJob = Pick<Job, 'kind' | 'state' | 'error' | 'result' | 'counts'>;

/** What a change did, from its result, or from its error after a rollback. Undefined for other jobs. */
export function readChange({ kind, state, error, result }: EndedJob): ChangeOutcome | undefined {
  if (!kind.startsWith('changes.')) return undefined;
  return ChangeOutcome.safeParse(state === 'succeeded' ? result : error?.['change']).data;
}

type Page = ChangeChecks['before']['home'];

/** "200 en 120 ms". */
const formatPage = ({ code, ms, error }: Page): string => {
  const status = code === 0 ? 'pas de réponse' : String(code);
  const duration = ms === null ? '' : ` en ${formatNumber(ms)}\u00a0ms`;
  return `${status}${duration}${error === null ? '' : ` (${error})`}`;
};

const statusWords = { active: 'Actif', inactive: 'Inactif' } as const;

const unknown = '–';

/** Only what was not active can be activated, and the reverse. An update leaves the status as it was. */
const statusesBefore: Readonly<Record<string, string>> = {
  'changes.install': unknown,
  'changes.activate': statusWords.inactive,
  'changes.deactivate': statusWords.active,
};

export type ChangeTable = { columns: string[]; rows: { name: string; cells: string[] }[] };

/** A site before a change and after it, and as it is again when the change was undone. */
export function changeTable(job: EndedJob, { from, to, status, checks }: ChangeOutcome): ChangeTable {
  const isBack = isUndone(job);
  const moments = [checks?.before, checks?.after, ...(isBack ? [checks?.restored] : [])];
  const pageCells = (name: 'home' | 'login') => moments.map((pages) => (pages ? formatPage(pages[name]) : unknown));
  const word = status === null ? unknown : statusWords[status];
  const statusBefore = statusesBefore[job.kind];
  const rows = [
    { name: 'Version', cells: [from ?? unknown, to ?? unknown, ...(isBack ? [from ?? unknown] : [])] },
    ...(statusBefore === undefined
      ? []
      : [{ name: 'État', cells: [statusBefore, isBack ? unknown : word, ...(isBack ? [word] : [])] }]),
    { name: 'Page d’accueil', cells: pageCells('home') },
    { name: 'Page de connexion', cells: pageCells('login') },
  ];
  return {
    columns: ['Avant', 'Après', ...(isBack ? ['Rétabli'] : [])],
    // A line that says nothing is left out.
    rows: rows.filter(({ cells }) => cells.some((cell) => cell !== unknown)),
  };
}
