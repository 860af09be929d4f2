import type { SiteFacts, SiteProblem } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText } from './clean';
import { RawSite, toFacts, unchecked } from './facts';
import { type Host, SiteFailure, unsureOwner } from './host';
import config from './php/config.php';
import extensions from './php/extensions.php';
import files from './php/files.php';
import look from './php/look.php';
import main from './php/scan.php';
import say from './php/say.php';
import tables from './php/tables.php';
import { phpProgram, runPhp } from './run-php';

/** What reads one site without running anything of it. */
export const inspectParts = [files, config, tables, extensions, look];

const program = phpProgram(say, ...inspectParts, main);
/** Sites of one process. */
const atOnce = 200;
/** After so many sites that ended the process the rest is left for another time. */
const maxCulprits = 4;
/** As long as what is said of a site, and what is printed besides: an answer for one is not as long as one for many. */
const siteBytes = 1_048_576;
const maxBytes = 32 * siteBytes;
const minSeconds = 30;
/** Of one process: what it had told by then is known, and the rest is read by another. */
const maxSeconds = 60;

/** What only a look at the files knows besides. */
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
  /** Told of sites as they are read, by their place: what comes later may never come. */
  onSeen?: (seen: ReadonlyMap<number, Seen>) => Promise<void>;
};

/** Looks at many sites in one go, in their order, without running anything of theirs. Undefined: its turn never came. */
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

/** A site that ends the process, or takes all of its time, is the first that nothing was said of. */
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
    // It had part of the time only: after the others it has all of it.
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

/** By a process of its own, where PHP cannot act for others: the shell does that, for a site that is not root's. */
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

/** Dated when it began: what changes meanwhile may not be in it, and an inspection that ends meanwhile is the newer one. */
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

/** Of a site that nothing can be read of. */
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
