import { spellUpdates, titleOf } from '@vigie/contracts/site-words';
import type { SiteItem } from '@vigie/contracts/sites';

type Facts = Pick<SiteItem, 'status' | 'ssh_error' | 'problem' | 'http' | 'updates'>;

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
