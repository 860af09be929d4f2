import type { Extension, SiteState } from '@vigie/contracts/inventory';

export const anExtension = (fields: Partial<Extension> = {}): Extension => ({
  type: 'plugin',
  slug: 'akismet',
  file: 'akismet/akismet.php',
  name: 'Akismet',
  version: '5.3',
  status: 'active',
  kind: 'regular',
  is_network_active: false,
  parent: null,
  hasUpdate: false,
  new_version: null,
  ...fields,
});

const check = { checked_at: '2026-01-01T00:00:00Z', error: null };

export const aSiteState = (fields: Partial<SiteState> = {}): SiteState => ({
  depth: 'scan',
  read_at: new Date().toISOString(),
  core: { version: '6.9', locale: 'fr_FR', hasUpdate: false, new_version: null },
  extensions: [anExtension()],
  unusable: [],
  checks: { core: check, plugins: check, themes: check },
  php: { binary: '/usr/bin/php8.2', version: '8.2.7' },
  database: { kind: 'mariadb', version: '10.11' },
  home_url: 'https://exemple.fr',
  content_dir: '/srv/www/wp-content',
  owner: 'www',
  is_multisite: false,
  is_composer: false,
  forbids_changes: false,
  is_writable: true,
  needs_boot: [],
  mark: 'a',
  problem: null,
  ...fields,
});
