import { spellUpdates, titleOf } from '@vigie/contracts/site-words';
import type { SiteItem } from '@vigie/contracts/sites';
import { shorten, sshErrorSql } from './failures';

type Facts = Pick<SiteItem, 'status' | 'ssh_error' | 'updates'> & {
  problem: Pick<NonNullable<SiteItem['problem']>, 'kind' | 'culprit'> | null;
  http: Pick<NonNullable<SiteItem['http']>, 'code' | 'error'> | null;
};

/**
 * Why a site has its status, in sentences, the worst first. PostgreSQL computes the status (the generated column
 * `sites.status`), and this function must say why:
 * - `error`: the last connection failed, WordPress does not start, or visitors get no answer or a 5xx.
 * - `warning`: visitors get a 4xx, or updates wait.
 * - `unknown`: the site was neither read nor refused yet.
 * - `ok`: none of these.
 */
export function statusReasons({ status, ssh_error: sshError, problem, http, updates }: Facts): string[] {
  const waiting = spellUpdates(updates);
  return [
    sshError ?? '',
    problem ? titleOf(problem) : '',
    http && http.code >= 400 ? `Le site répond ${http.code}.` : '',
    http?.code === 0 ? (http.error ?? 'Le site ne répond pas.') : '',
    waiting === '' ? '' : `À mettre à jour\u00a0: ${waiting}.`,
    status === 'unknown' ? 'Pas encore testé.' : '',
  ].filter(Boolean);
}

/** SQL: what `worstReason` needs to know of a site to tell the caller, small enough for an answer with 10,000 sites. */
export const reasonFacts = (row: string, caller: string): string => `jsonb_build_object('status', ${row}.status,
  'ssh_error', ${shorten(sshErrorSql(row, caller))},
  'problem', case when ${row}.problem is not null then
    jsonb_build_object('kind', ${row}.problem -> 'kind', 'culprit', ${row}.problem -> 'culprit') end,
  'http', case when ${row}.http is not null then
    jsonb_build_object('code', ${row}.http -> 'code', 'error', ${shorten(`${row}.http ->> 'error'`)}) end)`;

export type ReasonFacts = Omit<Facts, 'updates'>;

/** Why somebody has to look at a site. A waiting update is no reason. */
export const worstReason = (facts: ReasonFacts): string | null => statusReasons({ ...facts, updates: null })[0] ?? null;
