import type { SiteState, SiteProblem } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText } from './clean';
import { culpritOf, shortPath } from './culprit';
import { RawSite, toSiteState, unchecked } from './site-state';
import { type Host, SiteFailure, unsureOwner } from './host';
import inspectPhp from './php/inspect.php';
import inventory from './php/inventory.php';
import leftoverTables from './php/leftover-tables.php';
import connection from './php/connection.php';
import foreignTables from './php/foreign-tables.php';
import answerPhp from './php/answer.php';
import sql from './php/sql.php';
import start from './php/start.php';
import tableSwapState from './php/table-swap-state.php';
import tableSwap from './php/table-swap.php';
import operationPhp from './php/operation.php';
import { phpProgram, type PhpRun, runPhp } from './run-php';
import { inspectParts, scanSites } from './scan';

/** Deletes tables that killed operations left. */
const leftoverParts = [operationPhp, sql, connection, foreignTables, tableSwapState, tableSwap, leftoverTables];
export const inspectProgram = phpProgram(answerPhp, start, ...inspectParts, ...leftoverParts, inventory, inspectPhp);
const keptBytes = 8 * 1_048_576;

export type SiteLocation = { path: string; url: string };
type Options = {
  php: string;
  /** Whether to ask WordPress.org for updates first. */
  refreshes: boolean;
  /** A server that stands for WordPress.org. */
  api: string | null;
  signal?: AbortSignal;
  seconds?: number;
};

/** `isOwner`: the login is root, and PHP ran with the rights of the site's owner. */
export type Inspection = { state: SiteState; isOwner: boolean };

const FoundSite = RawSite.extend({ is: z.literal('found'), root: z.string() });
/** The fingerprint that a scan would compute now. While a later scan computes the same, no new inspection is needed. */
const Fingerprint = z.object({ is: z.literal('mark'), mark: z.string() });
const Problem = z.object({
  is: z.literal('problem'),
  kind: z.enum(['fatal', 'ended_early', 'database', 'not_wordpress']),
  message: z.string().nullish(),
  file: z.string().nullish(),
  line: z.int().nullish(),
  content_dir: z.string().nullish(),
  root: z.string().nullish(),
});

/**
 * Reads a site through WordPress itself. If WordPress does not start, a second try leaves out plugins and theme,
 * without asking for updates: the offers of its plugins would be lost.
 */
export async function inspectSite(host: Host, site: SiteLocation, options: Options): Promise<Inspection> {
  // Changes during the inspection may be missing from it, so it is dated at its start.
  const read_at = new Date().toISOString();
  const dates = () => ({ read_at, ended_at: new Date().toISOString() });
  const first = await boot(host, site, { ...options, skips: false });
  if ('state' in first) {
    const mark = first.state.mark ?? (await scanState(host, site, options)).mark;
    return { ...first, state: { ...first.state, ...dates(), mark } };
  }
  const second = await boot(host, site, { ...options, refreshes: false, skips: true });
  const scan = await scanState(host, site, options);
  const base = 'state' in second ? { ...second.state, mark: scan.mark } : scan;
  const checks = options.refreshes ? failedChecks : unchecked;
  const problem = scan.needs_boot.includes('unreadable') ? unreadableProblem(scan) : first.problem;
  return { state: { ...base, ...dates(), checks, problem }, isOwner: first.isOwner };
}

/** Visitors may still see the site: only we cannot read it. */
const unreadableProblem = ({ owner }: SiteState): SiteProblem => ({
  kind: 'unreadable',
  message: `Vigie n’a pas le droit de lire la configuration du site${owner ? `, qui appartient à ${owner}` : ''}\u00a0: connectez-vous avec ce compte, ou avec root.`,
  file: 'wp-config.php',
  line: null,
  culprit: null,
});

const refusals: readonly SiteFailure['code'][] = ['root_owned', 'unsure_owner', 'no_privilege_tool'];

/** Inspects a site, or scans its files where nobody may run its code here. */
export async function inspectOrScan(host: Host, site: SiteLocation, options: Options): Promise<SiteState> {
  try {
    return (await inspectSite(host, site, options)).state;
  } catch (error) {
    if (!(error instanceof SiteFailure) || !refusals.includes(error.code)) throw error;
    const check = { checked_at: null, error: error.message };
    const checks = options.refreshes ? { core: check, plugins: check, themes: check } : unchecked;
    const problem = problemWithoutFile('unreadable', `${error.message} ${error.remedy}`);
    return { ...(await scanState(host, site, options)), checks, problem };
  }
}

const notStarted = { checked_at: null, error: 'WordPress ne démarre pas\u00a0: rien n’a été vérifié.' };
const failedChecks = { core: notStarted, plugins: notStarted, themes: notStarted };

async function scanState(host: Host, { path }: SiteLocation, { php, signal }: Options): Promise<SiteState> {
  const [scan] = await scanSites(host, [path], { php, signal });
  if (!scan || scan instanceof SiteFailure) throw scan ?? new Error('a site was not scanned');
  return scan.state;
}

type BootResult = { isOwner: boolean } & ({ state: SiteState } | { problem: SiteProblem });

async function boot(host: Host, site: SiteLocation, options: Options & { skips: boolean }): Promise<BootResult> {
  const seconds = options.seconds ?? (options.refreshes ? 100 : 40);
  const data = {
    path: site.path,
    url: site.url,
    skip: options.skips,
    refresh: options.refreshes,
    api: options.api,
  };
  const { php, signal } = options;
  const phpOptions = { name: 'inspect.php', php, site: site.path, seconds, keep: keptBytes, signal };
  const run = await runPhp(host, inspectProgram, data, phpOptions);
  requireRights(run);
  if (run.rights === 'no-wordpress')
    return { problem: problemWithoutFile('not_wordpress', sentences.not_wordpress), isOwner: false };
  const isOwner = run.rights === 'owner';
  const found = firstAnswer(FoundSite, run);
  const mark = firstAnswer(Fingerprint, run)?.mark;
  if (found) return { state: toSiteState({ ...found, mark }, { depth: 'inspect', binary: options.php }), isOwner };
  const reported = firstAnswer(Problem, run);
  if (reported) return { problem: problemOf(reported, site), isOwner };
  return { problem: silentProblem(run, seconds), isOwner };
}

const firstAnswer = <T>(kind: z.ZodType<T>, { answers }: PhpRun): T | undefined =>
  answers.map((answer) => kind.safeParse(answer)).find(({ success }) => success)?.data;

/** Throws where PHP got no rights under which it may run the site's code. */
export function requireRights({ rights }: PhpRun): void {
  if (rights === 'root-owned') {
    throw new SiteFailure(
      'root_owned',
      'Les fichiers du site appartiennent à root\u00a0: Vigie n’exécute jamais le code d’un site en tant que root.',
      'Donnez ces fichiers à l’utilisateur du serveur web (chown -R www-data), ou connectez-vous avec un autre compte.',
    );
  }
  if (rights === 'unsure-owner') throw unsureOwner();
  if (rights === 'no-tool') {
    throw new SiteFailure(
      'no_privilege_tool',
      'Vigie se connecte en root, et aucun outil du serveur ne lui permet d’agir comme le propriétaire du site.',
      'Installez setpriv ou runuser (paquet util-linux), ou connectez-vous avec le propriétaire du site.',
    );
  }
}

const problemWithoutFile = (kind: SiteProblem['kind'], message: string): SiteProblem => ({
  kind,
  message,
  file: null,
  line: null,
  culprit: null,
});

const sentences = {
  ended_early: 'Le code du site s’arrête avant que WordPress ait démarré.',
  database: 'WordPress n’atteint pas sa base de données.',
  not_wordpress: 'Aucun WordPress ne se trouve dans ce dossier.',
};

function problemOf(reported: z.infer<typeof Problem>, site: SiteLocation): SiteProblem {
  const roots = [site.path, reported.root ?? ''];
  const text = cleanText(reported.message ?? '', 900);
  const file = reported.file ? cleanText(reported.file, 2_000) : null;
  return {
    kind: reported.kind,
    message: cleanText(reported.kind === 'fatal' ? withoutRoots(text, roots) : sentenceOf(reported.kind, text), 1_000),
    file: file === null ? null : shortPath(file, { roots }).slice(0, 500),
    line: reported.line ?? null,
    culprit: file === null ? null : culpritOf(file, { roots, content: reported.content_dir ?? null }),
  };
}

function sentenceOf(kind: keyof typeof sentences, text: string): string {
  if (kind === 'ended_early' && text.startsWith('redirect ')) {
    return `Le code du site redirige vers ${text.slice(9)} avant que WordPress ait démarré.`;
  }
  if (kind === 'ended_early' && text === 'maintenance') {
    return 'Le site est en maintenance\u00a0: une mise à jour est en cours, ou a été interrompue (fichier .maintenance).';
  }
  return text === '' ? sentences[kind] : `${sentences[kind]} ${text}`;
}

const withoutRoots = (text: string, roots: readonly string[]) =>
  roots.filter(Boolean).reduce((rest, root) => rest.replaceAll(`${root}/`, ''), text);

/** Explains a process that reported nothing: it took too long, or something killed it. */
function silentProblem({ code, stderr }: PhpRun, seconds: number): SiteProblem {
  const isLate = code === 124 || code === 137;
  const last = cleanText(stderr.slice(-500), 300);
  const message = isLate
    ? `WordPress n’a pas fini de démarrer en ${seconds}\u00a0s.`
    : `PHP s’est arrêté (code ${code ?? 'inconnu'})${last === '' ? '.' : `\u00a0: ${last}`}`;
  const kind = isLate ? 'timeout' : 'ended_early';
  return problemWithoutFile(kind, message);
}
