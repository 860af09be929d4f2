import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SiteState } from '@vigie/contracts/inventory';
import { onFleet } from '@vigie/testing/fleet/machine';
import { logInAsHost } from '@vigie/testing/login';
import { aHost, closeAfterTest } from '@vigie/testing/ssh-stage';
import { testFolder } from '@vigie/testing/test-folder';
import { SiteFailure } from './host';
import { scanSites } from './scan';

const itHere = onFleet(it);
const end = "require_once ABSPATH . 'wp-settings.php';";
const defaults = "define( 'DB_NAME', 'x' ); define( 'DB_HOST', '127.0.0.1:1' ); $table_prefix = 'wp_';";
type Expected = Partial<Pick<SiteState, 'home_url' | 'is_multisite' | 'forbids_changes'>> & { computed?: boolean };

/** Lines of wp-config.php, and what a scan that does not run it should find. */
const configs: Record<string, Expected> = {
  [`define('WP_HOME', 'http://a.test'); ${end}`]: { home_url: 'http://a.test' },
  [`DEFINE("WP_HOME", "http://a.test\\x2fb");`]: { home_url: 'http://a.test/b' },
  [`\\define ( 'WP_HOME' , 'http://it\\'s.test' );`]: {},
  [`const WP_HOME = 'http://a.test';`]: { home_url: 'http://a.test' },
  [`// define('WP_HOME', 'http://a.test');`]: {},
  [`/* define('WP_HOME', 'http://a.test'); */ $x = "define('WP_HOME', 'http://b.test');";`]: {},
  [`define('WP_HOME', 'http://a.test'); define('WP_HOME', 'http://b.test');`]: { home_url: 'http://a.test' },
  [`if (!defined('WP_HOME')) { define('WP_HOME', 'http://a.test'); }`]: { home_url: 'http://a.test' },
  [`defined('WP_HOME') || define('WP_HOME', 'http://a.test');`]: { home_url: 'http://a.test' },
  [`define('WP_SITEURL', 'http://a.test/wp');`]: { home_url: 'http://a.test/wp' },
  [`define('WP_SITEURL', 'http://a.test/wp'); define('WP_HOME', 'http://a.test');`]: { home_url: 'http://a.test' },
  [`define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']);`]: { computed: true },
  [`define('WP_HOME', getenv('HOME_URL') ?: 'http://a.test');`]: { computed: true },
  [`define('WP_CONTENT_DIR', __DIR__ . '/contenu');`]: { computed: true },
  [`define($name, 'x');`]: { computed: true },
  [`foreach (['WP_HOME' => 'x'] as $a => $b) define($a, $b);`]: { computed: true },
  [`if ($_SERVER['HTTP_HOST'] === 'b') define('WP_HOME', 'http://b.test');`]: {
    computed: true,
    home_url: 'http://b.test',
  },
  [`require __DIR__ . '/secrets.php';`]: { computed: true },
  [`eval('x();');`]: { computed: true },
  // A reader that searches the rest of the file for each include would take minutes.
  ['include '.repeat(31_000)]: { computed: true },
  [`$table_prefix = getenv('PREFIX');`]: { computed: true },
  [`define('DISALLOW_FILE_MODS', true);`]: { forbids_changes: true },
  [`define('DISALLOW_FILE_MODS', 1);`]: { forbids_changes: true },
  [`define('DISALLOW_FILE_MODS', false);`]: {},
  [`define('MULTISITE', TRUE);`]: { is_multisite: true },
  [`define('WP_ALLOW_MULTISITE', true);`]: {},
  [`define('WP_HOME', 'javascript:alert(1)');`]: {},
  [`define('WP_HOME', 'http://a.test`]: { computed: true },
  [`}}}}} ((((( <?php ?> <b>`]: {},
};

itHere('reads wp-config.php without running it, and reports computed settings', async () => {
  const folder = testFolder('config');
  const texts = Object.keys(configs);
  const paths = texts.map((text, at) => {
    const path = join(folder, String(at));
    mkdirSync(join(path, 'wp-includes'), { recursive: true });
    writeFileSync(join(path, 'wp-load.php'), '');
    writeFileSync(join(path, 'wp-includes/version.php'), "<?php\n$wp_version = '6.1.9';\n");
    writeFileSync(join(path, 'wp-config.php'), `<?php ${defaults}\n${text}`);
    return path;
  });
  const host = closeAfterTest(await logInAsHost(await aHost()));
  const scans = await scanSites(host, paths, { php: '/usr/bin/php' });
  const results = scans.map((scan, at) => {
    if (!scan || scan instanceof SiteFailure) throw scan ?? new Error('unread');
    const { home_url, is_multisite, forbids_changes, needs_boot } = scan.state;
    expect(needs_boot).toContain('database_unreachable');
    return [texts[at], { home_url, is_multisite, forbids_changes, computed: needs_boot.includes('computed_config') }];
  });
  const none = { home_url: null, is_multisite: false, forbids_changes: false, computed: false };
  expect(results).toEqual(texts.map((text) => [text, { ...none, ...configs[text] }]));
});
