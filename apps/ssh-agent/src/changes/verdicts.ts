import { changeCodes } from '@vigie/contracts/change-codes';
import type { ChangeChecks } from '@vigie/contracts/changes';
import type { ChangeEnd } from '@vigie/wordpress/change';
import type { LoggedFatal } from '@vigie/wordpress/logs';
import type { Checkpoint, Verdict } from './checkpoint';
import { toSitePages } from './page-checks';
import { fatalText, type PageChecks } from './regressions';
import { type ChangeSubject, changeName, regressionText, reportToAuthor, retryRemedy } from './sentences';

const maxFatals = 5;

/** The change did not get as far as its checks. */
const unchecked = { isDone: false, after: null, php_errors: [] };

type Seen = { after: PageChecks | null; fatals: readonly LoggedFatal[] };

export const regressionVerdict = (subject: ChangeSubject, reason: string, { after, fatals }: Seen): Verdict => ({
  code: changeCodes.rolledBack,
  reason: regressionText(subject, reason),
  remedy: reportToAuthor(subject),
  isCancelled: false,
  isDone: true,
  after,
  php_errors: fatals.slice(0, maxFatals).map(fatalText),
});

export const failureVerdict = ({ code, message, remedy }: Exclude<ChangeEnd, { is: 'done' }>): Verdict => ({
  ...unchecked,
  code: code === changeCodes.interrupted ? code : changeCodes.rolledBack,
  reason: message,
  remedy,
  isCancelled: false,
});

/** The operation ended without reporting an end: it was killed, or its host was restarted. */
export const interruptionVerdict = (subject: ChangeSubject, isCancelled: boolean): Verdict => ({
  ...unchecked,
  code: changeCodes.interrupted,
  reason: `${changeName(subject)}\u00a0: l’opération a été interrompue sur le serveur.`,
  remedy: retryRemedy,
  isCancelled,
});

/** What a person is shown of the checks before the change, after it, and after its rollback. */
export const checksOf = (
  { baseline }: Pick<Checkpoint, 'baseline'>,
  { after, php_errors: phpErrors }: Pick<Verdict, 'after' | 'php_errors'>,
  restored: PageChecks | null,
): ChangeChecks => ({
  before: toSitePages(baseline),
  after: after && toSitePages(after),
  restored: restored && toSitePages(restored),
  php_errors: phpErrors,
});
