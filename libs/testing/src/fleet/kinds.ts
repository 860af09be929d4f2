import { networkConstants, type Dump } from './golden';
import { deploy, type Owner, www } from './machine';
import { avarie, crieur, etrange, type Files, garde } from './extensions';
import objectCache from './php/object-cache.php';

export const siteKinds = [
  'plain',
  'awkward',
  'multisite',
  'config-above',
  'moved-content',
  'noisy',
  'broken',
  'other-owner',
  'object-cache',
  'read-only',
] as const;
export type SiteKind = (typeof siteKinds)[number];

/** What distinguishes a kind of site from the others. */
export type SitePlan = {
  folder: string;
  /** WordPress's folder below it; empty when it is the same. */
  wordpressFolder: string;
  dump: Dump;
  prefix: string;
  /** Additional files of wp-content. */
  files: Files;
  activePlugins: readonly string[];
  constants: readonly string[];
  content: string;
  owner: Owner;
  /** DB_HOST names the socket instead of the port. */
  isBySocket: boolean;
  password: string;
};

const defaults = ['ancre.php', 'boussole-pro/boussole-pro.php', 'formulaire/formulaire.php', 'vitrine/vitrine.php'];

export function planOf(kind: SiteKind, folder: string, url: string): SitePlan {
  const plan: SitePlan = {
    folder,
    wordpressFolder: '',
    dump: 'single',
    prefix: 'wp_',
    files: {},
    activePlugins: defaults,
    constants: [],
    content: 'wp-content',
    owner: deploy,
    isBySocket: false,
    password: 'mot-de-passe-1',
  };
  return { ...plan, ...changes[kind](folder, url) };
}

const changes: Record<SiteKind, (folder: string, url: string) => Partial<SitePlan>> = {
  plain: () => ({ files: garde }),
  awkward: (folder) => ({
    folder: `${folder} d’été (l'1)`,
    prefix: 'wp_x1_',
    files: { ...etrange, ...garde, 'uploads/2026/été & "fête" 🎉.txt': 'Un fichier au nom difficile.\n' },
    activePlugins: [...defaults, 'é trange/étrange.php'],
    password: `a'b"c\\d $e é;#%`,
  }),
  multisite: (_, url) => ({
    dump: 'network',
    constants: networkConstants(url.slice('http://'.length)),
    activePlugins: ['vitrine/vitrine.php'],
  }),
  'config-above': () => ({ wordpressFolder: 'www', isBySocket: true }),
  'moved-content': (_, url) => ({
    content: 'contenu',
    constants: [
      `$folder = implode( '', array( 'cont', 'enu' ) );`,
      `define( 'WP_CONTENT_DIR', __DIR__ . '/' . $folder );`,
      `define( 'WP_CONTENT_URL', '${url}/' . $folder );`,
    ],
  }),
  noisy: () => ({
    files: crieur,
    activePlugins: ['crieur/crieur.php', ...defaults],
    constants: [`define( 'WP_DEBUG', true );`, `define( 'WP_DEBUG_DISPLAY', true );`],
  }),
  broken: () => ({ files: avarie, activePlugins: ['avarie/avarie.php', ...defaults] }),
  'other-owner': () => ({ owner: www }),
  'object-cache': () => ({ files: { 'object-cache.php': objectCache } }),
  'read-only': () => ({}),
};
