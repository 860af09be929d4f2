import type { SiteState, SiteProblem } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText } from './clean';
import { RawSite, toSiteState, unchecked } from './site-state';
import { type Host, SiteFailure, unsureOwner } from './host';
import config from './php/config.php';
import extensions from './php/extensions.php';
import files from './php/files.php';
import siteScan from './php/scan-site.php';
import scanPhp from './php/scan.php';
import answerPhp from './php/answer.php';
import scanDatabase from './php/scan-database.php';
import { phpProgram, runPhp } from './run-php';

/** Reads one site without running its code. */
export const inspectParts = [files, config, scanDatabase, extensions, siteScan];

const program = phpProgram(answerPhp, ...inspectParts, scanPhp);
const sitesPerProcess = 200;
/** Sites that may kill the process before the rest is left for another scan. */
const maxCulprits = 4;
/** Bytes that one site may print, answers and noise together. */
const siteBytes = 1_048_576;
const maxBytes = 32 * siteBytes;
const minSeconds = 30;
/** For one process: answers until then are used, and the rest goes to the next process. */
const maxSeconds = 60;

/** What only a scan of the files finds. */
export type Scan = { state: SiteState; title: string | null; config: string | null; databaseError: string | null };

const Answer = z.object({ at: z.int() });
const Stopped = z.object({
  problem: z.enum(['not_wordpress', 'unreadable', 'unsure_owner', 'no_posix']),
  message: z.string().nullish(),
});
const Scanned = RawSite.extend({
  config_path: z.string().nullish(),
  database_error: z.string().nullish(),
});

type ScanResult = Scan | SiteFailure;
type Options = {
  php: string;
  signal?: AbortSignal;
  /** Called with the scans of each process as they arrive, by index: later ones may never come. */
  onScans?: (results: ReadonlyMap<number, ScanResult>) => Promise<void>;
};

/** Scans many sites without running their code, in the order of `paths`. Undefined: a site that no process got to. */
export async function scanSites(host: Host, paths: readonly string[], options: Options) {
  const results = new Map<number, ScanResult>();
  for (let from = 0; from < paths.length; from += sitesPerProcess) {
    const pending = paths.slice(from, from + sitesPerProcess).map((path, at) => ({ path, index: from + at }));
    for await (const scans of scanSome(host, pending, options)) {
      for (const [index, result] of scans) results.set(index, result);
      await options.onScans?.(scans);
    }
  }
  return paths.map((_, index): ScanResult | undefined => results.get(index));
}

type Pending = { path: string; index: number };

/** The first site without an answer is the one that killed the process or took all of its time. */
async function* scanSome(host: Host, sites: readonly Pending[], { php, signal }: Options) {
  let pending = [...sites];
  for (let culprits = 0; pending.length > 0 && culprits < maxCulprits; ) {
    const seconds = Math.min(minSeconds + pending.length, maxSeconds);
    const data = { sites: pending.map(({ path }) => ({ path })) };
    const keep = Math.min(siteBytes * (pending.length + 1), maxBytes);
    const phpOptions = { name: 'scan.php', php, seconds, keep, signal };
    const startedAt = new Date();
    const { answers, code } = await runPhp(host, program, data, phpOptions);
    const reports = readScans(answers, { php, startedAt });
    const asOwner = pending.filter((_, at) => reports.get(at) === 'no_posix');
    const [first, ...rest] = pending.filter((_, at) => !reports.has(at));
    const results = new Map<number, ScanResult>();
    for (const [at, { index }] of pending.entries()) {
      const result = reports.get(at);
      if (result && result !== 'no_posix') results.set(index, result);
    }
    // A slow site had only part of the time: it is retried last, with all of it.
    const isLate = (code === 124 || code === 137) && rest.length > 0 && results.size > 0;
    if (first && !isLate) {
      results.set(first.index, noAnswer);
      culprits += 1;
    }
    pending = first && isLate ? [...rest, first] : rest;
    yield results;
    for (const { path, index } of asOwner) yield new Map([[index, await scanAsOwner(host, path, { php, signal })]]);
  }
}

/** For a PHP that cannot switch users: the shell runs one process as the owner of the site. */
async function scanAsOwner(host: Host, path: string, { php, signal }: Options): Promise<ScanResult> {
  const phpOptions = { name: 'scan.php', php, site: path, seconds: minSeconds, keep: 2 * siteBytes, signal };
  const startedAt = new Date();
  const { answers, rights } = await runPhp(host, program, { sites: [{ path }] }, phpOptions);
  if (rights === 'unsure-owner') return unsureScan();
  const report = readScans(answers, { php, startedAt }).get(0);
  if (rights === 'owner') return report && report !== 'no_posix' ? report : noAnswer;
  return unreadableScan('unreadable', withoutPosix);
}

const noAnswer = new SiteFailure(
  'no_answer',
  'La lecture du site s’est arrêtée avant la fin.',
  'Vérifiez que ses fichiers et sa base de données répondent, et que PHP a assez de mémoire.',
);

type SiteReport = ScanResult | 'no_posix';

/** Dates scans at their start: later changes may be missing, and an inspection that ends meanwhile is newer. */
function readScans(answers: readonly unknown[], { php, startedAt }: { php: string; startedAt: Date }) {
  const read_at = startedAt.toISOString();
  const scans = new Map<number, SiteReport>();
  for (const answer of answers) {
    const parsed = Answer.safeParse(answer);
    if (!parsed.success) continue;
    const report = readScan(answer, php);
    const isScan = report !== 'no_posix' && 'state' in report;
    scans.set(parsed.data.at, isScan ? { ...report, state: { ...report.state, read_at } } : report);
  }
  return scans;
}

function readScan(answer: unknown, binary: string): SiteReport {
  const stopped = Stopped.safeParse(answer);
  if (stopped.success) return stoppedReport(stopped.data);
  const raw = Scanned.safeParse(answer);
  if (!raw.success) return noAnswer;
  return {
    state: toSiteState(raw.data, { depth: 'scan', binary }),
    title: raw.data.title ? cleanText(raw.data.title, 300) : null,
    config: raw.data.config_path ?? null,
    databaseError: raw.data.database_error ? cleanText(raw.data.database_error, 500) : null,
  };
}

function stoppedReport({ problem, message }: z.infer<typeof Stopped>): SiteReport {
  if (problem === 'no_posix') return problem;
  return problem === 'unsure_owner' ? unsureScan() : unreadableScan(problem, cleanText(message ?? '', 500));
}

function unsureScan(): Scan {
  const { message, remedy } = unsureOwner();
  return unreadableScan('unreadable', `${message} ${remedy}`);
}

const withoutPosix =
  'Ils sont à root, ou Vigie ne peut pas prendre les droits de leur propriétaire\u00a0: il manque à ce PHP l’extension posix. ' +
  'Installez-la (paquet php-process, php-posix ou celui de votre panneau) et relancez le test du site, ou connectez-vous avec le compte du site.';

const reasons = {
  not_wordpress: 'Aucun WordPress ne se trouve dans ce dossier.',
  unreadable: 'Les fichiers du site n’ont pas pu être lus.',
};

function unreadableScan(kind: 'not_wordpress' | 'unreadable', detail: string): Scan {
  const message = detail === '' ? reasons[kind] : `${reasons[kind]} ${detail}`;
  return { state: emptyState({ kind, message, file: null, line: null, culprit: null }), ...empty };
}

const empty = { title: null, config: null, databaseError: null };

function emptyState(problem: SiteProblem): SiteState {
  return {
    depth: 'scan',
    read_at: new Date().toISOString(),
    core: { version: null, locale: null, hasUpdate: false, new_version: null },
    extensions: [],
    unusable: [],
    checks: unchecked,
    php: null,
    database: null,
    home_url: null,
    content_dir: null,
    owner: null,
    is_multisite: false,
    is_composer: false,
    forbids_changes: false,
    is_writable: null,
    needs_boot: [],
    mark: null,
    problem,
  };
}
