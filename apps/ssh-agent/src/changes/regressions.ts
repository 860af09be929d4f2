import type { ItemKind } from '@vigie/contracts/changes';
import type { SiteProblem } from '@vigie/contracts/inventory';
import type { LoggedFatal } from '@vigie/wordpress/logs';
import { z } from 'zod';

/** The result of visiting a page. */
export const PageCheck = z.object({
  url: z.string(),
  /** The HTTP status; 0 for no answer. */
  code: z.int(),
  error: z.string().nullable(),
  ms: z.int().nullable(),
  bytes: z.int(),
  isBlank: z.boolean(),
  /** Null if unknown: the page is not HTML, or longer than what is read. */
  isWhole: z.boolean().nullable(),
  /** The error message that the page prints. */
  fatal: z.string().nullable(),
  isLate: z.boolean(),
  /** There was no answer for a reason outside the site, such as DNS or the network. */
  isUnseen: z.boolean(),
});
export type PageCheck = z.infer<typeof PageCheck>;

export const PageChecks = z.object({ home: PageCheck, login: PageCheck });
export type PageChecks = z.infer<typeof PageChecks>;

const names = { home: 'la page d’accueil', login: 'la page de connexion' } as const;
const pages = ['home', 'login'] as const;

/**
 * Whether the site is closed to its visitors on purpose, as maintenance plugins do: the home page answers 503 with a page
 * of its own, and the login page works.
 */
export const isClosed = ({ home, login }: PageChecks) =>
  home.code === 503 &&
  home.fatal === null &&
  home.bytes > 0 &&
  !home.isBlank &&
  home.isWhole !== false &&
  isHealthy(login);

const isHealthy = (page: PageCheck) => severityOf(page) === 0 && !isBroken(page);

/** Why a site is worse than before, as a sentence; undefined if it is not. A page that was broken before is ignored. */
export function findRegression(before: PageChecks, after: PageChecks, mayClose = false): string | undefined {
  if (mayClose && isClosed(after)) return undefined;
  for (const page of pages) {
    // Many plugins move or restrict the login page on purpose.
    const isMoved = page === 'login' && severityOf(after[page]) === 1;
    const reason = isMoved ? undefined : findPageRegression(before[page], after[page]);
    if (reason !== undefined) return `${names[page]} ${reason}`;
  }
  return undefined;
}

/** How badly a page failed: 3 for no answer, 2 for 5xx, 1 for 4xx, 0 for a good answer. */
const severityOf = ({ code }: PageCheck) => (code === 0 ? 3 : code >= 500 ? 2 : code >= 400 ? 1 : 0);

/** The visit says nothing about the site: the network failed, or the site limits our requests. */
const isInconclusive = ({ isUnseen, code }: PageCheck) => isUnseen || code === 429;

function findPageRegression(before: PageCheck, after: PageCheck): string | undefined {
  if (isInconclusive(before) || isInconclusive(after)) return undefined;
  if (severityOf(after) > severityOf(before)) {
    if (after.isLate) return 'ne répond plus dans le temps permis (10\u00a0s)';
    if (after.code === 0) return `ne répond plus\u00a0: ${withoutEnd(after.error ?? '')}`;
    return `répond ${after.code} au lieu de ${before.code === 0 ? 'rien' : before.code}`;
  }
  if (severityOf(before) > 0) return undefined;
  if (after.fatal !== null && before.fatal === null) return `affiche une erreur («\u00a0${after.fatal}\u00a0»)`;
  if (after.isBlank && !before.isBlank) return 'est vide';
  if (after.isWhole === false && before.isWhole === true) return 'est coupée avant sa fin';
  return undefined;
}

export const isBroken = ({ code, isBlank, fatal, isUnseen }: PageCheck) =>
  !isUnseen && (code === 0 || code >= 500 || isBlank || fatal !== null);

const withoutEnd = (text: string) => text.replace(/\.$/, '');

type Item = { kind: ItemKind; slug: string };

/** Whether this change may have caused the error. An update of WordPress itself may have caused any. */
function isCausedBy({ message, file, culprit }: LoggedFatal, { kind, slug }: Item): boolean {
  if (kind === 'core' || (culprit?.type === kind && culprit.slug === slug)) return true;
  const folder = kind === 'plugin' ? 'plugins' : 'themes';
  return [message, file ?? ''].some((text) =>
    [`${folder}/${slug}/`, `${folder}/${slug}.php`].some((path) => text.includes(path)),
  );
}

/** Equal for two reports of one error, even if its line has moved. */
const signatureOf = ({ message, file }: LoggedFatal) => `${file ?? ''} ${message.replaceAll(/\d+/g, '0')}`;

/** The errors of these items in `since` that were not in the logs before; `all` contains those of `since`. */
export function newFatals(
  since: readonly LoggedFatal[],
  all: readonly LoggedFatal[],
  items: readonly Item[],
): LoggedFatal[] {
  const count = (fatals: readonly LoggedFatal[], signature: string) =>
    fatals.filter((fatal) => signatureOf(fatal) === signature).length;
  return since.filter((fatal) => {
    const signature = signatureOf(fatal);
    return items.some((item) => isCausedBy(fatal, item)) && count(all, signature) <= count(since, signature);
  });
}

/** The error with its file and line. */
export function fatalText({ message, file, line }: Pick<SiteProblem, 'message' | 'file' | 'line'>): string {
  const [first = ''] = message.split('\n');
  const text = withoutEnd(first).slice(0, 300);
  if (file === null || text.includes(file)) return text;
  return `${text} (${file}${line === null ? '' : `, ligne ${line}`})`;
}

const startProblems: readonly SiteProblem['kind'][] = ['fatal', 'ended_early', 'timeout', 'database', 'not_wordpress'];

/** Why WordPress no longer starts, if it did before. */
export function problemText(problem: SiteProblem | null, didStart: boolean): string | undefined {
  if (!problem || !didStart || !startProblems.includes(problem.kind)) return undefined;
  return `WordPress ne démarre plus\u00a0: ${fatalText(problem)}`;
}

/** The first of these errors as a reason; undefined without one. */
export const loggedText = ([fatal]: readonly LoggedFatal[]) =>
  fatal && `une erreur fatale est apparue dans son journal\u00a0: ${fatalText(fatal)}`;

export const withCause = (reason: string, [fatal]: readonly LoggedFatal[]) =>
  fatal ? `${reason}\u00a0— ${fatalText(fatal)}` : reason;
