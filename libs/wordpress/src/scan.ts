import type { SiteFacts, SiteProblem } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText } from './clean';
import { RawSite, toFacts, unchecked } from './facts';
import { type Host, SiteFailure } from './host';
import config from './php/config.php';
import extensions from './php/extensions.php';
import files from './php/files.php';
import main from './php/scan.php';
import say from './php/say.php';
import tables from './php/tables.php';
import { phpProgram, runPhp } from './run-php';

const program = phpProgram(say, files, config, tables, extensions, main);
/** Sites of one process. */
const atOnce = 200;
/** How often the rest is tried without the site that ended the process. */
const tries = 4;
const keptBytes = 32 * 1_048_576;
const leastSeconds = 30;

/** What only a look at the files knows besides. */
export type Scan = { facts: SiteFacts; title: string | null; config: string | null; databaseError: string | null };

const Answer = z.object({ at: z.int() });
const Stopped = z.object({ problem: z.enum(['not_wordpress', 'unreadable']), message: z.string().nullish() });
const Scanned = RawSite.extend({
  config_path: z.string().nullish(),
  database_error: z.string().nullish(),
});

type Options = { php: string; signal?: AbortSignal };

/** Looks at many sites in one go, in their order, without running anything of theirs. */
export async function scanSites(
  host: Host,
  paths: readonly string[],
  { php, signal }: Options,
): Promise<(Scan | SiteFailure)[]> {
  const scans: (Scan | SiteFailure)[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    scans.push(...(await scanSome(host, paths.slice(from, from + atOnce), { php, signal })));
  }
  return scans;
}

/** A site that ends the process, or takes all of its time, is the first that nothing was said of. */
async function scanSome(host: Host, paths: readonly string[], { php, signal }: Options) {
  const scans = new Map<number, Scan | SiteFailure>();
  let due = paths.map((path, place) => ({ path, place }));
  for (let left = tries; left > 0 && due.length > 0; left -= 1) {
    const seconds = leastSeconds + due.length;
    const data = { sites: due.map(({ path }) => ({ path })) };
    const { answers } = await runPhp(host, program, data, { php, seconds, keep: keptBytes, signal });
    const told = readScans(answers, php);
    for (const [at, scan] of told) {
      const place = due[at]?.place;
      if (place !== undefined) scans.set(place, scan);
    }
    const [culprit, ...rest] = due.filter((_, at) => !told.has(at));
    if (culprit) scans.set(culprit.place, silent);
    due = rest;
  }
  return paths.map((_, place) => scans.get(place) ?? silent);
}

const silent = new SiteFailure(
  'no_answer',
  'La lecture du site s’est arrêtée avant la fin.',
  'Vérifiez que ses fichiers et sa base de données répondent, et que PHP a assez de mémoire.',
);

function readScans(answers: readonly unknown[], php: string): Map<number, Scan | SiteFailure> {
  const scans = new Map<number, Scan | SiteFailure>();
  for (const answer of answers) {
    const known = Answer.safeParse(answer);
    if (known.success) scans.set(known.data.at, readScan(answer, php));
  }
  return scans;
}

function readScan(answer: unknown, binary: string): Scan | SiteFailure {
  const stopped = Stopped.safeParse(answer);
  if (stopped.success) return noScan(stopped.data.problem, cleanText(stopped.data.message ?? '', 500));
  const raw = Scanned.safeParse(answer);
  if (!raw.success) return silent;
  return {
    facts: toFacts(raw.data, { depth: 'scan', binary }),
    title: raw.data.title ? cleanText(raw.data.title, 300) : null,
    config: raw.data.config_path ?? null,
    databaseError: raw.data.database_error ? cleanText(raw.data.database_error, 500) : null,
  };
}

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
