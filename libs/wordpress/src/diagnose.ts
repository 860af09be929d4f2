import type { DiscoveredSite, SiteState } from '@vigie/contracts/inventory';
import { cleanText } from './clean';
import { discoverSites } from './discover';
import { type Host, SiteFailure } from './host';
import { inspectSite } from './inspect';
import { findPhp } from './php';
import { type Scan, scanSites } from './scan';
import type { Finding, SiteSteps } from './steps';
import whoScript from './who.sh';

type Site = { path: string | null; url: string; php: string | null };
type Options = { steps: SiteSteps; api: string | null; signal?: AbortSignal };

/** `path`: where the site was found, or the path that was given. */
export type Diagnosis = { state: SiteState; path: string };

/** Tests every step from the shell to WordPress itself, and notes the finding of each. */
export async function diagnoseSite(host: Host, site: Site, { steps, api, signal }: Options): Promise<Diagnosis> {
  const { stdout } = await host.run(whoScript, {
    keep: { stdout: 1_024, stderr: 1_024 },
    limits: { totalMs: 15_000 },
    signal,
    name: 'who.sh',
  });
  const login = cleanText(stdout.bytes.toString(), 60) || 'utilisateur inconnu';
  steps.note('shell', ok(`Les commandes s’exécutent en tant que ${login}.`));
  // PHP comes before the path: the search for a site needs it.
  const php = await findPhp(host, site.php, signal);
  const options = { php: php.binary, signal };
  const path = site.path ?? (await searchSite(host, site.url, options));
  const [scan] = await scanSites(host, [path], options);
  if (!scan || scan instanceof SiteFailure) throw scan ?? new Error('a site was not scanned');
  if (scan.state.problem) {
    throw new SiteFailure(
      'no_path',
      `${scan.state.problem.message.replace(/\.$/, '')}\u00a0: ${path}.`,
      'Donnez le dossier qui contient wp-load.php et wp-includes, et le droit de le lire à ce compte.',
    );
  }
  steps.note('path', pathFinding(path, site.path !== null, scan.state));
  steps.note('php', phpFinding(php));
  steps.note('config', configFinding(scan));
  steps.note('database', databaseFinding(scan));
  const state = await inspectWordPress(host, { path, site, scan }, { steps, api, php: php.binary, signal });
  steps.note('write', writeFinding(state));
  return { state, path };
}

const ok = (message: string): Finding => ({ state: 'ok', message, remedy: null });
const warn = (message: string, remedy: string): Finding => ({ state: 'warning', message, remedy });
const fail = (message: string, remedy: string): Finding => ({ state: 'failed', message, remedy });

/** Finds the folder of a site by its address. */
export type SiteSearch = (host: Host, url: string, options: { php: string; signal?: AbortSignal }) => Promise<string>;

export const searchSite: SiteSearch = async (host, url, options) =>
  pathOf((await discoverSites(host, options)).items, url);

/** Searches a host at most once, for all of its sites without a path. */
export function searchOnce(): SiteSearch {
  let found: ReturnType<typeof discoverSites> | undefined;
  return async (host, url, options) => {
    found ??= discoverSites(host, options);
    const { items } = await found.catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return pathOf(items, url);
  };
}

function pathOf(items: readonly DiscoveredSite[], url: string): string {
  const found = items.filter((item) => item.url !== null && addressKey(item.url) === addressKey(url));
  if (found.length === 1 && found[0]) return found[0].path;
  throw new SiteFailure(
    'no_path',
    found.length > 1
      ? `Plusieurs dossiers de ce serveur ont cette adresse\u00a0: ${found.map(({ path }) => path).join(', ')}.`
      : `Aucun des ${items.length} sites WordPress trouvés sur ce serveur n’a pour adresse ${url}.`,
    'Renseignez le chemin du dossier de WordPress dans la fiche du site.',
  );
}

/** Compares addresses without scheme and www. */
function addressKey(url: string): string {
  const { host, pathname } = new URL(url);
  return host.replace(/^www\./, '') + pathname.replace(/\/+$/, '');
}

function pathFinding(path: string, isConfigured: boolean, { core: { version } }: SiteState): Finding {
  const found = `${cleanText(path, 300)} contient WordPress ${version ?? 'de version inconnue'}.`;
  if (isConfigured) return ok(found);
  return warn(`Trouvé par son adresse\u00a0: ${found}`, 'Enregistrez ce chemin dans la fiche du site.');
}

function phpFinding({ binary, version, hasMysqli }: Awaited<ReturnType<typeof findPhp>>): Finding {
  const found = `PHP ${version} (${cleanText(binary, 200)})`;
  if (hasMysqli) return ok(`${found}.`);
  return warn(`${found} n’a pas l’extension mysqli.`, 'Installez-la pour la ligne de commande (paquet php-mysql).');
}

function configFinding({ config, state }: Scan): Finding {
  if (config === null) {
    return fail(
      'Aucun wp-config.php ne se trouve dans ce dossier ni au-dessus.',
      'Terminez l’installation de WordPress, ou corrigez le chemin du site.',
    );
  }
  if (state.needs_boot.includes('unreadable')) {
    return fail(
      `${cleanText(config, 300)} ne peut pas être lu.`,
      'Donnez à ce compte le droit de lire ce fichier, de 250\u00a0Kio au plus.',
    );
  }
  const notes = [
    state.needs_boot.includes('computed_config') ? 'elle calcule des réglages, que WordPress seul connaît' : '',
    state.is_multisite ? 'c’est un réseau de sites' : '',
    state.is_composer ? 'Composer gère son code' : '',
  ].filter(Boolean);
  return ok(`${cleanText(config, 300)} est lisible${notes.length > 0 ? `\u00a0: ${notes.join(', ')}` : ''}.`);
}

function databaseFinding({ databaseError, state }: Scan): Finding {
  if (state.database?.kind === 'sqlite') return ok('La base de données est un fichier SQLite.');
  if (state.database && databaseError === null) {
    const name = state.database.kind === 'mariadb' ? 'MariaDB' : 'MySQL';
    return ok(`${name} ${state.database.version} répond.`);
  }
  if (state.needs_boot.includes('computed_config')) {
    return warn(
      'La base de données n’a pas été testée seule\u00a0: wp-config.php calcule ses réglages.',
      'L’étape suivante dit si WordPress l’atteint.',
    );
  }
  return warn(
    `La base de données ne répond pas à la ligne de commande\u00a0: ${databaseError ?? 'raison inconnue'}.`,
    'Vérifiez DB_HOST\u00a0: la socket de la ligne de commande peut différer de celle du serveur web (mysqli.default_socket), ou la base n’être joignable que d’un conteneur.',
  );
}

type ScannedSite = { path: string; site: Site; scan: Scan };

/** Returns the state that the files tell if WordPress cannot be started. */
async function inspectWordPress(
  host: Host,
  { path, site, scan }: ScannedSite,
  { steps, api, php, signal }: Options & { php: string },
): Promise<SiteState> {
  const options = { php, refreshes: false, api, signal };
  const inspection = await inspectSite(host, { path, url: site.url }, options).catch((error: unknown) => {
    if (error instanceof SiteFailure && error.code !== 'no_php') return error;
    throw error;
  });
  if (inspection instanceof SiteFailure) {
    steps.note('wordpress', fail(inspection.message, inspection.remedy));
    return scan.state;
  }
  steps.note('wordpress', wordPressFinding(inspection.state, inspection.isOwner));
  return inspection.state;
}

function wordPressFinding({ problem, core, owner }: SiteState, isOwner: boolean): Finding {
  const as = isOwner && owner ? ` avec les droits de ${cleanText(owner, 60)}` : '';
  if (!problem) return ok(`WordPress ${core.version ?? ''} démarre${as}.`);
  const { culprit, file, line, message } = problem;
  const location = file === null ? '' : ` (${file}${line === null ? '' : `, ligne ${line}`})`;
  return fail(
    `${message}${location}`.slice(0, 600),
    culprit && culprit.type !== 'core'
      ? `Corrigez ou désactivez ${names[culprit.type]} ${culprit.slug}, qui empêche le site de démarrer.`
      : 'Vérifiez le journal d’erreurs de PHP, les fichiers de WordPress et sa base de données.',
  );
}

const names = {
  plugin: 'l’extension',
  theme: 'le thème',
  must_use: 'l’extension obligatoire',
  drop_in: 'le fichier',
};

function writeFinding(state: SiteState): Finding {
  if (state.forbids_changes) {
    return warn(
      'La configuration interdit toute installation et mise à jour (DISALLOW_FILE_MODS).',
      'Retirez cette constante de wp-config.php pour mettre ce site à jour d’ici.',
    );
  }
  if (state.is_writable === false) {
    return warn(
      'Les fichiers du site ne peuvent pas être modifiés.',
      'Donnez au propriétaire du site le droit d’écrire dans wp-content/plugins, ou connectez-vous avec le compte à qui il appartient.',
    );
  }
  if (state.is_composer) {
    return warn(
      'Composer gère le code de ce site\u00a0: une mise à jour serait perdue au prochain déploiement.',
      'Mettez-le à jour dans son dépôt.',
    );
  }
  return ok(
    state.is_writable === null
      ? 'Le droit d’écrire n’a pas pu être vérifié.'
      : 'Les extensions peuvent être mises à jour.',
  );
}
