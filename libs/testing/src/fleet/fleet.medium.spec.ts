import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'ssh2';
import { until } from '../until';
import { badVersion, type FaultKind, faultKinds } from './bad-extensions';
import { Fleet } from './fleet';
import { siteKinds, type SiteKind } from './kinds';
import { onFleet, runOnHost } from './machine';
import { contentOf, type FleetSite } from './sites';
import { versions } from './extensions';

const describeFleet = onFleet(describe);

/** Redirects WordPress's requests to WordPress.org to the fake one, as an inspection does. */
const redirected = (url: string) => `
  add_filter('pre_http_request', function ($done, $args, $asked) {
    if (str_starts_with($asked, '${url}/')) return $done;
    $path = preg_replace('~^https?://(api|downloads)\\.wordpress\\.org~', '', $asked, 1, $isOurs);
    if (!$isOurs) return new WP_Error('offline', 'No internet for tests.');
    return (new WP_Http())->request('${url}' . $path, ['reject_unsafe_urls' => false] + $args);
  }, 10, 3);
  require_once ABSPATH . 'wp-admin/includes/admin.php';
  require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
`;

describeFleet('the fleet', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start();
  });
  afterAll(() => fleet?.close());

  const get = async (url: string) => {
    const response = await fetch(url, { redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  };
  const ask = (kind: SiteKind, code: string) => fleet.runPhp(fleet.site(kind), code);
  const askOrg = (kind: SiteKind, code: string) => ask(kind, redirected(fleet.wordpressOrg.url) + code);

  it.each(siteKinds)('answers over HTTP as its kind promises: %s', async (kind) => {
    const { status, text } = await get(fleet.site(kind).url);
    expect(status).toBe(kind === 'broken' ? 500 : 200);
    expect(text).toContain(kind === 'broken' ? 'critical error' : '<!-- vitrine 1.2.0 -->');
    // A PHP newer than its WordPress prints deprecations first, while it compiles.
    const deprecated = /^(?:<br \/>\n<b>Deprecated<\/b>.*\n)+/;
    if (kind === 'noisy')
      expect(text.replace(deprecated, '')).toMatch(/^\{"plugins": "bruit au chargement"\}[^]*\[bruit à la fin\]\s*$/);
  });

  it('has one release of WordPress, with the plugins of each kind', async () => {
    const code = `return [get_bloginfo('version'), $GLOBALS['table_prefix'], get_option('active_plugins'), home_url()];`;
    const defaults = ['ancre.php', 'boussole-pro/boussole-pro.php', 'formulaire/formulaire.php', 'vitrine/vitrine.php'];
    const { installed } = fleet.versions;
    expect(await ask('plain', code)).toEqual([installed, 'wp_', defaults, fleet.site('plain').url]);
    expect(await ask('noisy', code)).toEqual([
      installed,
      'wp_',
      expect.arrayContaining(defaults),
      fleet.site('noisy').url,
    ]);
    const awkward = await ask('awkward', code);
    expect(awkward).toEqual([installed, 'wp_x1_', [...defaults, 'é trange/étrange.php'], fleet.site('awkward').url]);
  });

  it('has a database of awkward content', async () => {
    const rows = await fleet.query(
      fleet.site('awkward'),
      'select id, hex(small), length(big) from wp_x1_blobs; show tables like "%seen"; show triggers;',
    );
    expect(rows[1]).toEqual(['2', '00FF0A0D1A5C27220000C328', '1048576']);
    expect(rows.flat()).toEqual(expect.arrayContaining(['4000000', 'wp_x1_seen', 'wp_x1_named']));
    expect(await ask('awkward', `return [get_option('étrange'), get_option('blogname')];`)).toEqual([
      { été: '🎉', tab: 'a\tb' },
      'L’été <b>à</b> "quai" & l\'hiver 🎉',
    ]);
  });

  it('has files in unusual places', async () => {
    const above = fleet.site('config-above');
    expect([
      existsSync(join(above.path, 'wp-config.php')),
      existsSync(join(dirname(above.path), 'wp-config.php')),
    ]).toEqual([false, true]);
    const moved = fleet.site('moved-content').path;
    expect(await ask('moved-content', 'return [WP_CONTENT_DIR, WP_PLUGIN_DIR];')).toEqual([
      `${moved}/contenu`,
      `${moved}/contenu/plugins`,
    ]);
    expect(existsSync(join(moved, 'wp-content'))).toBe(false);
  });

  it('has a network, whose second site answers too', async () => {
    const code = `return [is_multisite(), array_keys(get_site_option('active_sitewide_plugins')), count(get_sites())];`;
    expect(await ask('multisite', code)).toEqual([true, ['formulaire/formulaire.php'], 2]);
    const { status, text } = await get(`${fleet.site('multisite').url}/voisin/`);
    expect([status, text.includes('<h1>Voisin</h1>')]).toEqual([200, true]);
  });

  it('reports where a broken site fails', async () => {
    const { fault } = fleet.site('broken');
    const where = `${fleet.site('broken').path}/${fault?.file}:${fault?.line}`;
    const output = await ask('broken', 'return 1;').catch(String);
    expect(output).toContain(fault?.message);
    expect(output).toContain(where);
  });

  it('keeps an object cache between processes', async () => {
    const set = `return [wp_using_ext_object_cache(), wp_cache_set('tide', ['high' => 12], 'sea')];`;
    expect(await ask('object-cache', set)).toEqual([true, true]);
    expect(await ask('object-cache', `return wp_cache_get('tide', 'sea');`)).toEqual({ high: 12 });
  });

  it('runs PHP as the owner of the site, with opcache', async () => {
    const probe = async (site: FleetSite) => {
      writeFileSync(
        join(site.path, 'probe.php'),
        '<?php echo posix_geteuid(), opcache_get_status()["opcache_enabled"] ? " opcache" : "";',
      );
      return (await get(`${site.url}/probe.php`)).text;
    };
    expect(await probe(fleet.site('plain'))).toBe('64001 opcache');
    expect(await probe(fleet.site('other-owner'))).toBe('33 opcache');
    const writable = `return is_writable(ABSPATH . 'wp-includes/version.php') || is_writable(WP_PLUGIN_DIR);`;
    expect(await ask('plain', writable)).toBe(true);
    expect(await ask('read-only', writable)).toBe(false);
  });

  it('resolves the names of owners over SSH', async () => {
    const { host } = fleet;
    const client = new Client();
    const printed = await new Promise<string>((resolve, reject) => {
      client.once('error', reject).once('ready', () =>
        client.exec(
          `id -un; stat -c %U ${fleet.site('plain').path} ${fleet.site('other-owner').path}`,
          (error, stream) => {
            if (error) return reject(error);
            let text = '';
            stream.on('data', (bytes: Buffer) => (text += bytes.toString())).once('close', () => resolve(text));
            stream.stderr.resume();
          },
        ),
      );
      client.connect({
        host: '127.0.0.1',
        port: host.port,
        username: 'deploy',
        privateKey: host.privateKey,
        hostVerifier: () => true,
      });
    });
    client.end();
    expect(printed).toBe('deploy\ndeploy\nwww-data\n');
  });

  it('offers updates that WordPress finds', async () => {
    const check = `
      wp_update_plugins(); wp_update_themes(); wp_version_check([], true);
      $versions = fn ($offers) => array_map(fn ($offer) => ((array) $offer)['new_version'], $offers);
      return [$versions(get_site_transient('update_plugins')->response), $versions(get_site_transient('update_themes')->response),
        get_site_transient('update_core')->updates[0]->version];`;
    const all = {
      'boussole-pro/boussole-pro.php': '3.1.0',
      'formulaire/formulaire.php': '2.1.0',
      'relais/relais.php': '1.0',
      'vitrine/vitrine.php': '1.3.0',
    };
    expect(await askOrg('plain', check)).toEqual([all, { phare: '1.1' }, fleet.versions.offered]);
    fleet.wordpressOrg.plugins.delete('relais');
    const { 'relais/relais.php': _, ...fewer } = all;
    expect(await askOrg('object-cache', check)).toEqual([fewer, { phare: '1.1' }, fleet.versions.offered]);
  });

  it('updates a plugin and WordPress itself from what is offered', async () => {
    const update = `
      wp_update_plugins(); wp_version_check([], true);
      $plugins = (new Plugin_Upgrader(new Automatic_Upgrader_Skin()))->bulk_upgrade(['vitrine/vitrine.php', 'boussole-pro/boussole-pro.php']);
      $core = (new Core_Upgrader(new Automatic_Upgrader_Skin()))->upgrade(find_core_update('${fleet.versions.offered}', 'en_US'));
      return [array_map('is_array', $plugins), $core];`;
    expect(await askOrg('config-above', update)).toEqual([
      { 'vitrine/vitrine.php': true, 'boussole-pro/boussole-pro.php': true },
      fleet.versions.offered,
    ]);
    expect((await get(fleet.site('config-above').url)).status).toBe(200);
    const { Version } = (await ask(
      'config-above',
      `require_once ABSPATH . 'wp-admin/includes/plugin.php'; return get_plugin_data(WP_PLUGIN_DIR . '/vitrine/vitrine.php');`,
    )) as { Version: string };
    expect([Version, await ask('config-above', `return get_bloginfo('version');`)]).toEqual([
      '1.3.0',
      fleet.versions.offered,
    ]);
    expect(await ask('plain', `return get_bloginfo('version');`)).toBe(fleet.versions.installed);
  });

  it('has a release that changes the database, and one that cannot start', async () => {
    const { wordpressOrg, versions: releases } = fleet;
    const witness = fleet.witness(fleet.site('object-cache'));
    const update = (version: string) => {
      wordpressOrg.core = version;
      return `wp_version_check([], true);
        return (new Core_Upgrader(new Automatic_Upgrader_Skin()))->upgrade(find_core_update('${version}', 'en_US'));`;
    };
    expect(await askOrg('object-cache', update(releases.migrating))).toBe(releases.migrating);
    const migrate = `require_once ABSPATH . 'wp-admin/includes/upgrade.php'; wp_upgrade(); return get_option('tides');`;
    expect([await ask('object-cache', migrate), await ask('object-cache', migrate)]).toEqual(['1', '1']);
    expect(witness.actions).toMatchObject([
      { did: 'update', type: 'core', item: 'wordpress' },
      { did: 'migrate', type: 'core', item: 'wordpress' },
    ]);
    expect(await askOrg('object-cache', update(releases.broken))).toBe(releases.broken);
    await expect(ask('object-cache', 'return 1;')).rejects.toThrow('release_that_nobody_tried');
    wordpressOrg.core = releases.offered;
  });

  it('has offers that need a licence to download', async () => {
    const { wordpressOrg } = fleet;
    wordpressOrg.plugins.set('vitrine', { version: versions.vitrine.offered, isWithoutArchive: true });
    wordpressOrg.licensed.add('formulaire');
    const update = `
      wp_update_plugins();
      $skin = new WP_Ajax_Upgrader_Skin();
      (new Plugin_Upgrader($skin))->bulk_upgrade(['vitrine/vitrine.php', 'formulaire/formulaire.php']);
      return [$skin->get_errors()->get_error_codes(), get_site_transient('update_plugins')->response['vitrine/vitrine.php']->package];`;
    expect(await askOrg('moved-content', update)).toEqual([['no_package', 'download_failed'], '']);
    wordpressOrg.plugins.set('vitrine', { version: versions.vitrine.offered });
    wordpressOrg.licensed.clear();
  });

  it('refuses what WordPress.org does not have, and fails on demand', async () => {
    const { wordpressOrg } = fleet;
    const from = async (path: string, agent = 'WordPress/6.1') =>
      (await fetch(wordpressOrg.url + path, { headers: { 'user-agent': agent } })).status;
    expect(await from('/stats/php/1.0/')).toBe(404);
    expect(await from('/plugin/../../tree/index.php')).toBe(404);
    expect(await from('/core/version-check/1.7/?version=6.1.9', 'curl/7')).toBe(403);
    expect(wordpressOrg.requests.at(-3)).toMatchObject({ path: '/stats/php/1.0/', status: 404 });
    wordpressOrg.failures.push('error', 'error', 'cut');
    expect(await from('/core/checksums/1.0/')).toBe(500);
    const failing = `wp_update_plugins(); return array_keys(get_site_transient('update_plugins')->response ?? []);`;
    expect(await askOrg('read-only', failing)).toEqual(['boussole-pro/boussole-pro.php']);
    await expect(from('/core/checksums/1.0/')).rejects.toThrow('fetch failed');
    expect(await from('/core/checksums/1.0/')).toBe(200);
  });

  it('has versions of plugins with each kind of fault', async () => {
    const siteKindOf = {
      fatal: 'plain',
      front: 'config-above',
      blank: 'moved-content',
      slow: 'multisite',
      admin: 'awkward',
    } as const;
    const expectedStatuses = {
      fatal: [500, 500],
      front: [500, 200],
      blank: ['blank', 200],
      slow: ['silent', 200],
      admin: [200, 500],
    };
    const visit = async (address: string) => {
      const response = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      if (response?.status === 200 && (await response.text()) === '') return 'blank';
      return response?.status ?? 'silent';
    };
    for (const fault of faultKinds) {
      const site = fleet.site(siteKindOf[fault]);
      const zip = join(fleet.host.home, `${fault}.zip`);
      writeFileSync(zip, fleet.archive('vitrine', badVersion(versions.vitrine.offered, fault)));
      const unpack = '$zip = new ZipArchive(); $zip->open($argv[1]); $zip->extractTo($argv[2]) || exit(1);';
      await runOnHost('php', ['-r', unpack, zip, join(contentOf(site), 'plugins')]);
    }
    const visitAll = async () => {
      const visitBoth = async (fault: FaultKind) => {
        const { url } = fleet.site(siteKindOf[fault]);
        return [fault, await Promise.all([visit(url), visit(`${url}/wp-login.php`)])] as const;
      };
      return Object.fromEntries(await Promise.all(faultKinds.map(visitBoth)));
    };
    let last: unknown;
    // PHP looks for changed files every two seconds.
    await until(async () => isDeepStrictEqual((last = await visitAll()), expectedStatuses));
    expect(last).toEqual(expectedStatuses);
  });
});

describeFleet('a fleet whose folder is kept', () => {
  it('is the same after a restart, and leaves nothing running', async () => {
    const folder = `/tmp/vigie-kept-${process.pid}`;
    try {
      const first = await Fleet.start({ kinds: ['plain'], copies: 1, folder });
      const { sites } = first;
      const { privateKey, port } = first.host;
      await first.close();
      await expect(fetch(first.site('plain').url)).rejects.toThrow('fetch failed');
      const again = await Fleet.start({ kinds: ['plain'], copies: 1, folder });
      expect([again.sites, again.host.privateKey, again.host.port]).toEqual([sites, privateKey, port]);
      expect((await fetch(again.sites[1]?.url ?? '')).status).toBe(200);
      await again.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
