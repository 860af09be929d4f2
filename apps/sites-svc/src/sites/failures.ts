import { connectionFailed } from '@vigie/contracts/credentials';
import { isOwned, owns } from '../owners/owner-filter';
import { sharedRole } from '../owners/reach';

/**
 * SQL for why the last connection to a site failed, as far as the caller may read it. Without their parameter it is said
 * to nobody with whom something is shared.
 */
export function sshErrorSql(row: string, caller?: string): string {
  if (!sharedRole()) return `${row}.ssh_error`;
  const isOwn = caller === undefined ? '' : `when ${isOwned(row, caller)} then ${row}.ssh_error `;
  return `case ${isOwn}when ${row}.ssh_error is not null then '${connectionFailed}' end`;
}

const visibleSshError = (site: { ownerId: string; sshError: string | null }): string | null =>
  owns(site) ? site.sshError : site.sshError && connectionFailed;

const lastConnectionFailed = 'La dernière connexion a échoué\u00a0: ';

/** Warns in a plan that the last connection failed, with the reason as far as the caller may read it. */
export const connectionWarning = (site: { ownerId: string; sshError: string | null }): string =>
  `${lastConnectionFailed}${visibleSshError(site)}`;

/** A sentence of a plan as it is kept for others: the reason why a connection failed is for the owner alone. */
export const toSharedSentence = (sentence: string): string =>
  sentence.startsWith(lastConnectionFailed) ? `${lastConnectionFailed}${connectionFailed}` : sentence;

/** Messages of hosts may be of any length, and lists carry many of them. */
const maxCharacters = 300;

export const shorten = (reason: string) => `left(${reason}, ${maxCharacters})`;

/** SQL: the last scan or inspection of the site failed. */
export const isFailed = (row: string) => `(${row}.ssh_error is not null or ${row}.problem is not null)`;

/** SQL for the reason why the last scan or inspection of a site failed. */
export const failureSql = (row: string) => shorten(`coalesce(${sshErrorSql(row)}, ${problemSql(row)})`);

/** The words of a host or of WordPress may name folders and accounts. */
const problemSql = (row: string) =>
  sharedRole()
    ? `case when ${row}.problem is not null then 'WordPress n’a pas pu être lu sur ce site.' end`
    : `${row}.problem ->> 'message'`;
