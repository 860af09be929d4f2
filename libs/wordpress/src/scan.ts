import type { SiteFacts, SiteProblem } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText } from './clean';
import { RawSite, toFacts, unchecked } from './facts';
import { type Host, SiteFailure, unsureOwner } from './host';
import config from './php/config.php';
import extensions from './php/extensions.php';
import files from './php/files.php';
import look from './php/scan-site.php';
import main from './php/scan.php';
import say from './php/answer.php';
import tables from './php/scan-database.php';
import { phpProgram, runPhp } from './run-php';

/** Reads one site without running its code. */
export const inspectParts = [files, config, tables, extensions, look];

const program = phpProgram(say, ...inspectParts, main);
/** Sites per process. */
const atOnce = 200;
/** Sites that may kill the process before the rest is left for another scan. */
const maxCulprits = 4;
/** Bytes that one site may print, answers and noise together. */
const siteBytes = 1_048_576;
const maxBytes = 32 * siteBytes;
const minSeconds = 30;
/** For one process: answers until then are used, and the rest goes to the next process. */
const maxSeconds = 60;

/** What only a scan of the files finds. */
export type Scan = { facts: SiteFacts; title: string | null; config: string | null; databaseError: string | null };

const Answer = z.object({ at: z.int() });
const Stopped = z.object({
  problem: z.enum(['not_wordpress', 'unreadable', 'unsure_owner', 'no_posix']),
  message: z.string().nullish(),
});
const Scanned = RawSite.extend({
  config_path: z.string().nullish(),
  database_error: z.string().nullish(),
});

type Seen = Scan | SiteFailure;
type Options = {
  php: string;
  signal?: AbortSignal;
  /** Called with the scans of each process as they arrive, by index: later ones may never come. */
  onSeen?: (seen: ReadonlyMap<number, Seen>) => Promise<void>;
};

/** Scans many sites without running their code, in the order of `paths`. Undefined: a site that no process got to. */
export async function scanSites(host: Host, paths: readonly string[], options: Options): Promise<(Seen | undefined)[]> {
  const seen = new Map<number, Seen>();
  for (let from = 0; from < paths.length; from += atOnce) {
    const due = paths.slice(from, from + atOnce).map((path, at) => ({ path, place: from + at }));
    for await (const some of scanSome(host, due, options)) {
      for (const [place, one] of some) seen.set(place, one);
      await options.onSeen?.(some);
    }
  }
  return paths.map((_, place) => seen.get(place));
}

type Due = { path: string; place: number };

/** The first site without an answer is the one that killed the process or took all of its time. */
async function* scanSome(host: Host, sites: readonly Due[], { php, signal }: Options) {
  let due = [...sites];
  for (let culprits = 0; due.length > 0 && culprits < maxCulprits; ) {
    const seconds = Math.min(minSeconds + due.length, maxSeconds);
    const data = { sites: due.map(({ path }) => ({ path })) };
    const given = { name: 'scan.php', php, seconds, keep: Math.min(siteBytes * (due.length + 1), maxBytes), signal };
    const began = new Date();
    const { answers, code } = await runPhp(host, program, data, given);
    const told = readScans(answers, { php, began });
    const alone = due.filter((_, at) => told.get(at) === 'no_posix');
    const [first, ...rest] = due.filter((_, at) => !told.has(at));
    const seen = new Map<number, Seen>();
    for (const [at, { place }] of due.entries()) {
      const one = told.get(at);
      if (one && one !== 'no_posix') seen.set(place, one);
    }
    // A slow site had only part of the time: it is retried last, with all of it.
    const isLate = (code === 124 || code === 137) && rest.length > 0 && seen.size > 0;
    if (first && !isLate) {
      seen.set(first.place, silent);
      culprits += 1;
    }
    due = first && isLate ? [...rest, first] : rest;
    yield seen;
    for (const { path, place } of alone) yield new Map([[place, await scanAsOwner(host, path, { php, signal })]]);
  }
}

/** For a PHP that cannot switch users: the shell runs one process as the owner of the site. */
async function scanAsOwner(host: Host, path: string, { php, signal }: Options): Promise<Seen> {
  const given = { name: 'scan.php', php, site: path, seconds: minSeconds, keep: 2 * siteBytes, signal };
  const began = new Date();
  const { answers, as } = await runPhp(host, program, { sites: [{ path }] }, given);
  if (as === 'unsure-owner') return unsure();
  const seen = readScans(answers, { php, began }).get(0);
  if (as === 'owner') return seen && seen !== 'no_posix' ? seen : silent;
  return noScan('unreadable', withoutPosix);
}

const silent = new SiteFailure(
  'no_answer',
  'La lecture du site s’est arrêtée avant la fin.',
  'Vérifiez que ses fichiers et sa base de données répondent, et que PHP a assez de mémoire.',
);

type HostReport = Seen | 'no_posix';

/** Dates scans at their start: later changes may be missing, and an inspection that ends meanwhile is newer. */
function readScans(answers: readonly unknown[], { php, began }: { php: string; began: Date }): Map<number, HostReport> {
  const read_at = began.toISOString();
  const scans = new Map<number, HostReport>();
  for (const answer of answers) {
    const known = Answer.safeParse(answer);
    if (!known.success) continue;
    const told = readScan(answer, php);
    const isScan = told !== 'no_posix' && 'facts' in told;
    scans.set(known.data.at, isScan ? { ...told, facts: { ...told.facts, read_at } } : told);
  }
  return scans;
}

function readScan(answer: unknown, binary: string): HostReport {
  const stopped = Stopped.safeParse(answer);
  if (stopped.success) return stoppedBy(stopped.data);
  const raw = Scanned.safeParse(answer);
  if (!raw.success) return silent;
  return {
    facts: toFacts(raw.data, { depth: 'scan', binary }),
    title: raw.data.title ? cleanText(raw.data.title, 300) : null,
    config: raw.data.config_path ?? null,
    databaseError: raw.data.database_error ? cleanText(raw.data.database_error, 500) : null,
  };
}

function stoppedBy({ problem, message }: z.infer<typeof Stopped>): HostReport {
  if (problem === 'no_posix') return problem;
  return problem === 'unsure_owner' ? unsure() : noScan(problem, cleanText(message ?? '', 500));
}

function unsure(): Scan {
  const { message, remedy } = unsureOwner();
  return noScan('unreadable', `${message} ${remedy}`);
}

const withoutPosix =
  'Il est à root, ou aucun outil du serveur ne donne les droits de son propriétaire, et ce PHP n’a pas l’extension posix. ' +
  'Installez-la (paquet php-process, php-posix ou celui de votre panneau) et relancez le test du site, ou connectez-vous avec le compte du site.';

const reasons = {
  not_wordpress: 'Aucun WordPress ne se trouve dans ce dossier.',
  unreadable: 'Les fichiers du site n’ont pas pu être lus.',
};

function noScan(kind: 'not_wordpress' | 'unreadable', said: string): Scan {
  const message = said === '' ? reasons[kind] : `${reasons[kind]} ${said}`;
  return { facts: nothing({ kind, message, file: null, line: null, culprit: null }), ...empty };
}

const empty = { title: null, config: null, databaseError: null };

/** The facts of a site that cannot be read. */
function nothing(problem: SiteProblem): SiteFacts {
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
