import type { DiscoveredSite } from '@vigie/contracts/inventory';
import { cleanText, isClean } from './clean';
import findSitesScript from './find-sites.sh';
import { type Host, SiteFailure } from './host';
import { scanSites } from './scan';

const maxSites = 2_000;
const maxNotes = 50;
/** find-sites.sh prints no more lines than this. */
const maxLines = 6_000;
const seconds = 40;
/** Where WordPress may lie below a `current` link to the newest release. */
const belowCurrent = ['', '/web/wp', '/web', '/public', '/htdocs'];

type Options = { php: string; extra?: readonly string[]; signal?: AbortSignal };
export type DiscoveredSites = { items: DiscoveredSite[]; notes: string[] };

/** Finds the WordPress sites in the usual folders of a host. */
export async function discoverSites(host: Host, { php, extra = [], signal }: Options): Promise<DiscoveredSites> {
  const { stdout } = await host.run(findSitesScript, {
    args: [String(seconds), ...extra],
    keep: { stdout: 4 * 1_048_576, stderr: 4_096 },
    limits: { totalMs: 300_000 },
    signal,
    name: 'find-sites.sh',
  });
  const { paths, notes } = readFolders(stdout.bytes.toString());
  const scans = await scanSites(host, paths, { php, signal });
  if (scans.includes(undefined)) notes.unshift('Quelques dossiers n’ont pas été lus, faute de temps.');
  const items = scans.flatMap((scan, index) => {
    const path = paths[index] ?? '';
    if (!scan) return [];
    if (scan instanceof SiteFailure) {
      notes.push(`${path}\u00a0: ${scan.message}`);
      return [];
    }
    const { state, title, config } = scan;
    // Skips a copy that was never configured, and wrong guesses below a link.
    if (state.problem || config === null) return [];
    return [
      {
        path,
        url: state.home_url,
        title,
        version: state.core.version,
        owner: state.owner,
        is_multisite: state.is_multisite,
        needs_boot: state.needs_boot,
      },
    ];
  });
  return { items, notes: notes.slice(0, maxNotes).map((note) => cleanText(note, 500)) };
}

/** Extracts the WordPress folders; of several releases only the one behind `current`. */
export function readFolders(output: string): { paths: string[]; notes: string[] } {
  const lines = output.split('\n', maxLines).filter(Boolean);
  const [files, errors] = [lines.filter((line) => line.startsWith('/')), lines.filter((line) => !line.startsWith('/'))];
  const cleanPaths = files.map((line) => line.replace(/\/{2,}/g, '/')).filter(isClean);
  const links = cleanPaths.filter((line) => line.endsWith('/current'));
  const releaseFolders = new Set(links.map((link) => link.replace(/current$/, 'releases')));
  const folders = cleanPaths
    .flatMap((line) => (line.endsWith('/wp-load.php') ? [line.slice(0, -'/wp-load.php'.length)] : []))
    .filter((path) => path !== '' && path.length <= 4_096 && !isInRelease(path, releaseFolders));
  const guesses = links.flatMap((link) => belowCurrent.map((below) => link + below));
  const paths = [...new Set([...folders, ...guesses])];
  const notes = notesOf(errors);
  if (paths.length > maxSites) notes.unshift(`Seuls les ${maxSites} premiers dossiers ont été regardés.`);
  return { paths: paths.slice(0, maxSites), notes };
}

/** The search itself is not that deep. */
const maxFolders = 40;

function isInRelease(path: string, releaseFolders: ReadonlySet<string>): boolean {
  const folders = path.split('/', maxFolders);
  return folders.some(
    (name, index) => name === 'releases' && releaseFolders.has(folders.slice(0, index + 1).join('/')),
  );
}

function notesOf(errors: readonly string[]): string[] {
  return errors.flatMap((line) => {
    const late = /^late (\/.*)$/.exec(line)?.[1];
    if (late) return [`${late} n’a pas pu être parcouru en entier en ${seconds}\u00a0s.`];
    const denied = /^find: .?(\/.*?).?: (?:Permission denied|.*denied)/.exec(line)?.[1];
    return denied ? [`${denied}\u00a0: accès refusé.`] : [];
  });
}
