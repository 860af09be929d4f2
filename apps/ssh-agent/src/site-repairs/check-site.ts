import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { SshAccess } from '@vigie/contracts/credentials';
import { type SiteState, slugRule } from '@vigie/contracts/inventory';
import { wpPath } from '@vigie/contracts/site-address';
import type { SiteTarget } from '@vigie/contracts/site-checks';
import { type LastFatal, type RepairCheck, RepairTarget } from '@vigie/contracts/site-repairs';
import type { HttpStatus } from '@vigie/contracts/sites';
import type { Connection } from '@vigie/ssh/connection';
import { readContent } from '@vigie/wordpress/content';
import { searchSite } from '@vigie/wordpress/diagnose';
import { SiteFailure } from '@vigie/wordpress/host';
import { inspectOrScan } from '@vigie/wordpress/inspect';
import { readLogs } from '@vigie/wordpress/logs';
import { withPhp } from '@vigie/wordpress/php';
import { readRepairs } from '@vigie/wordpress/repairs';
import { env } from '../env';
import { ruleFor } from '../site-checks/rule-for';
import { type SitePage, visitSitePages } from '../site-checks/site-pages';
import { statusOf } from '../site-checks/visit';
import { hostOf } from '../sites/site-host';

/** A logged error of the last day may explain the one that visitors see now. */
const recentMs = 24 * 3_600_000;
const maxSuspects = 3;

export type SiteCheck = { look: RepairCheck; facts: SiteState; path: string | undefined; host_key: string };
type CheckOptions = {
  access: SshAccess;
  signal: AbortSignal;
  report: (step: string) => void;
  /** Before that time PHP may still serve compiled old code. */
  notBefore?: number;
};

/** Gathers why a site does not work: from WordPress itself, its logs, its files and its pages. */
export async function checkSite(connection: Connection, site: SiteTarget, options: CheckOptions): Promise<SiteCheck> {
  const { signal, report } = options;
  const host = hostOf(connection);
  const work = async (php: string): Promise<SiteCheck> => {
    report('Démarrage de WordPress');
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const phpOptions = { php, refreshes: false, api: env.VIGIE_WORDPRESS_API_URL, signal };
    const state = await inspectOrScan(host, { path, url: site.url }, phpOptions);
    const location = {
      path,
      content: await contentOf(state, () => readContent(host, { path, url: site.url }, phpOptions)),
    };
    const pages = await visitPages(site.url, options);
    report('Lecture des journaux et des fichiers');
    const { fatals } = await readLogs(host, location, { php, since: null, signal });
    const last = fatals.at(-1) ?? null;
    const suspects = suspectsOf(state, isBad(pages) && last ? last : null);
    const notes: string[] = [];
    const repairs = await readRepairs(host, location, { php, suspects, signal }).catch((error: unknown) => {
      if (!(error instanceof SiteFailure) || error.code === 'no_php') throw error;
      notes.push(`${error.message} ${error.remedy}`);
      return { maintenance: null, proposals: [], aside: [], aside_folder: null };
    });
    const look = { at: new Date().toISOString(), boot: bootOf(state), last_fatal: last, pages, notes, ...repairs };
    return { look, facts: state, path: wpPath.safeParse(path).data, host_key: connection.hostKey };
  };
  return withPhp(host, site.php, work, signal);
}

/** The content folder. A scan only guesses it, so the configuration is read too, unless PHP cannot run. */
async function contentOf({ depth, content_dir: scanned }: SiteState, readFromConfig: () => Promise<string | null>) {
  if (depth === 'inspect') return scanned;
  const content = await readFromConfig().catch((error: unknown) => {
    if (!(error instanceof SiteFailure)) throw error;
    return null;
  });
  return content ?? scanned;
}

/** An inspection with a problem that was not just a scan of files did start WordPress without plugins and theme. */
function bootOf({ problem, depth }: SiteState): RepairCheck['boot'] {
  const wasTried = problem !== null && problem.kind !== 'unreadable' && problem.kind !== 'not_wordpress';
  return { starts: problem === null, starts_bare: wasTried ? depth === 'inspect' : null, problem };
}

async function visitPages(
  url: string,
  { access, signal, report, notBefore = 0 }: CheckOptions,
): Promise<RepairCheck['pages']> {
  await wait(Math.max(0, notBefore - performance.now()), undefined, { signal });
  report('Visite du site');
  const { home, login } = await visitSitePages(url, ruleFor(access));
  return { home: statusOfPage(home), login: statusOfPage(login) };
}

function statusOfPage({ address, visitedUrl, isBlank, ...visited }: SitePage): HttpStatus {
  const status = statusOf(visited);
  const error = isBlank && status.code < 300 ? 'La page est vide.' : status.error;
  return { ...status, error, ...(status.url === visitedUrl && { url: address }) };
}

const isBad = ({ home, login }: RepairCheck['pages']) =>
  [home, login].some(({ code, error }) => code >= 500 || (code > 0 && error !== null));

/** The plugins or themes to blame, by WordPress itself and by the logs if visitors see errors. */
function suspectsOf({ problem }: SiteState, last: LastFatal | null) {
  const isRecent = last?.at && Date.now() - Date.parse(last.at) < recentMs;
  const culprits = [problem?.culprit, isRecent ? last.culprit : null].flatMap((each) => {
    const type = RepairTarget.safeParse(each?.type).data;
    return each && type && slugRule.test(each.slug) ? [{ type, slug: each.slug }] : [];
  });
  const byName = new Map(culprits.map((each) => [`${each.type}/${each.slug}`, each]));
  return [...byName.values()].slice(0, maxSuspects).map((each) => ({ ...each, mark: randomBytes(6).toString('hex') }));
}
