import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionOf } from '@vigie/testing/change-stage';
import { Changes } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import type { SiteKind } from '@vigie/testing/fleet/kinds';
import { onFleet } from '@vigie/testing/fleet/machine';
import { aTheme, aZip } from '@vigie/testing/zip';
import { type ChangeOrder, packagePath } from './change';

const describeFleet = onFleet(describe);
const kinds = ['plain', 'awkward', 'multisite', 'config-above', 'moved-content', 'noisy', 'object-cache'] as const;
const rootKinds = ['other-owner', 'broken'] as const;

/** Reads plugins, themes and leftovers of a change through WordPress itself, independent of our code. */
const statePhp = `
  require_once ABSPATH . 'wp-admin/includes/admin.php';
  wp_clean_plugins_cache(false);
  $plugins = [];
  foreach (get_plugins() as $file => $it) {
    $plugins[strtok($file, '/')] = [$it['Version'], is_plugin_active($file), is_plugin_active_for_network($file)];
  }
  return ['plugins' => $plugins, 'theme' => [wp_get_theme('phare')->get('Version'), get_option('stylesheet')],
    'left' => [get_option('auto_updater.lock'), get_option('core_updater.lock'), file_exists(ABSPATH . '.maintenance'),
      array_values(preg_grep('~/index\\.php$~', glob(WP_CONTENT_DIR . '/upgrade/*'), PREG_GREP_INVERT)), get_option('db_version') == $GLOBALS['wp_db_version']]];`;
const nothingLeft = [false, false, false, [], true];
/** A plugin that requires no newer WordPress than the fleet has. */
const pluginArchive = (version: string) =>
  aZip([
    { name: 'boussole/boussole.php', content: `<?php\n/*\n * Plugin Name: Boussole\n * Version: ${version}\n */\n` },
  ]);
type State = { plugins: Record<string, [string, boolean, boolean]>; theme: [string, string]; left: unknown[] };

describeFleet('a change of a site', () => {
  let fleet: Fleet;
  let changes: Changes;
  let asRoot: Changes;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: [...kinds, ...rootKinds] });
    changes = await Changes.connect(fleet, 'deploy');
    asRoot = await Changes.connect(fleet, 'sh');
  });
  afterAll(async () => {
    await changes?.close();
    await asRoot?.close();
    await fleet?.close();
  });

  const home = () => fleet.host.homeOf('deploy');
  const readState = async (kind: SiteKind) => (await fleet.runPhp(fleet.site(kind), statePhp)) as State;
  const copiesOf = ({ site, item }: ChangeOrder) => {
    const folder = join(home(), '.vigie/asides', site.id, `${item.kind}.${item.slug}`);
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it.each(kinds)('updates a plugin and keeps it active: %s', async (kind) => {
    const order = changes.order(fleet.site(kind), { action: 'update', item: 'plugin.vitrine', to: '1.3.0' });
    const { reader } = await changes.change(order);
    expect(reader.end).toMatchObject({ is: 'done', from: '1.2.0', to: '1.3.0', name: 'Vitrine', status: 'active' });
    const { plugins, left } = await readState(kind);
    expect([plugins['vitrine'], left]).toEqual([['1.3.0', true, false], nothingLeft]);
    const content = kind === 'moved-content' ? 'contenu' : 'wp-content';
    const css = join(order.site.path, content, 'plugins/vitrine/assets/vitrine.css');
    expect(readFileSync(css, 'utf8')).toContain('1.3.0');
    expect(copiesOf(order)).toEqual([`${order.operation}.tar`]);
  });

  it('keeps a plugin active in a whole network, also after a rollback', async () => {
    const order = changes.order(fleet.site('multisite'), { action: 'update', item: 'plugin.formulaire', to: '2.1.0' });
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done', status: 'active' });
    expect((await readState('multisite')).plugins['formulaire']).toEqual(['2.1.0', true, true]);
    // An old copy without tables may still be restored automatically: no database writes are lost.
    utimesSync(join(home(), `.vigie/asides/${order.site.id}/plugin.formulaire/${order.operation}.tar`), 1, 1);
    expect((await changes.rollBack(order, 10)).reader.end).toMatchObject({ is: 'done', from: '2.1.0', to: '2.0.1' });
    expect((await readState('multisite')).plugins['formulaire']).toEqual(['2.0.1', true, true]);
  });

  it('updates a plugin that offers its own updates', async () => {
    const order = changes.order(fleet.site('plain'), { action: 'update', item: 'plugin.boussole-pro', to: '3.1.0' });
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done', from: '3.0.0', to: '3.1.0' });
  });

  it('leaves no file to root after a login as root', async () => {
    const site = fleet.site('other-owner');
    const { reader } = await asRoot.change(
      asRoot.order(site, { action: 'update', item: 'plugin.vitrine', to: '1.3.0' }),
    );
    expect(reader.end).toMatchObject({ is: 'done', to: '1.3.0' });
    const plugin = join(site.path, 'wp-content/plugins/vitrine');
    const owners = [plugin, join(plugin, 'vitrine.php'), join(plugin, 'assets/vitrine.css')].map(
      (path) => statSync(path).uid,
    );
    expect(owners).toEqual([33, 33, 33]);
    const copies = join(fleet.host.home, '.vigie/asides');
    expect([statSync(copies).uid, statSync(copies).mode & 0o777]).toEqual([0, 0o700]);
  });

  it('updates a theme and WordPress with its database, and rolls both back', async () => {
    const site = fleet.site('plain');
    const theme = changes.order(site, { action: 'update', item: 'theme.phare', to: '1.1' });
    expect((await changes.change(theme)).reader.end).toMatchObject({
      is: 'done',
      from: '1.0',
      to: '1.1',
      status: 'active',
      rollbackCopy: { has_tables: false },
    });
    const { installed, offered } = fleet.versions;
    await fleet.query(site, "update wp_options set option_value = '51917' where option_name = 'db_version'");
    const core = changes.order(site, { action: 'update', item: 'core.wordpress', to: offered });
    const rollbackCopy = { has_tables: true };
    expect((await changes.change(core)).reader.end).toMatchObject({
      is: 'done',
      from: installed,
      to: offered,
      rollbackCopy,
    });
    expect(await readState('plain')).toMatchObject({ theme: ['1.1', 'phare'], left: nothingLeft });
    await fleet.query(site, "insert into wp_links (link_name) values ('depuis')");
    const request = { action: 'restore', item: 'core.wordpress', rollbackCopyId: core.operation } as const;
    // Simulates a full disk at the moment when the tables are about to change.
    const isFull = 'echo() { [ "$1" != tables ] && command echo "$@"; }\n';
    const full = (await changes.change(changes.order(site, request), isFull)).reader;
    expect(full.end).toMatchObject({ is: 'refused', code: 'no_room' });
    expect((await readState('plain')).left).toEqual(nothingLeft);
    const undo = changes.order(site, request);
    expect((await changes.change(undo)).reader.end).toMatchObject({
      is: 'done',
      from: offered,
      to: installed,
      rollbackCopy,
    });
    expect(await fleet.query(site, 'select * from wp_links')).toEqual([]);
    // Undoing the restore brings the newer state back, with its rows.
    expect((await changes.rollBack(undo)).reader.end).toMatchObject({ is: 'done', to: offered });
    expect(await fleet.query(site, 'select link_name from wp_links')).toEqual([['depuis']]);
    expect((await changes.rollBack(core)).reader.end).toMatchObject({ is: 'done', from: offered, to: installed });
    const version = await fleet.query(site, "select option_value from wp_options where option_name = 'db_version'");
    expect(version).toEqual([['51917']]);
    expect((await fetch(site.url)).status).toBe(200);
  });

  /** Installs a file cache, and reports whether it was empty when the site opened to visitors again. */
  function withCache(site: ChangeOrder['site']) {
    const content = join(site.path, 'wp-content');
    const [dropIn, watch] = [join(content, 'object-cache.php'), join(content, 'mu-plugins/watch.php')];
    const [stale, report] = [join(content, 'cale/stale'), join(content, 'uploads/seen')];
    copyFileSync(join(fleet.site('object-cache').path, 'wp-content/object-cache.php'), dropIn);
    mkdirSync(dirname(watch), { recursive: true });
    writeFileSync(
      watch,
      `<?php add_filter('update_feedback', function ($text) {
        if (strpos($text, 'Enabling') === 0) { @mkdir('${dirname(stale)}'); touch('${stale}'); }
        // Makes the copy look hours old.
        array_map(function ($copy) { touch($copy, 1); }, glob('${home()}/.vigie/asides/*/core.wordpress/*.part'));
        if (strpos($text, 'Disabling') === 0) { file_put_contents('${report}', file_exists('${stale}') ? 'stale' : 'empty'); }
        return $text;
      }, PHP_INT_MAX);`,
    );
    return {
      wasEmptied: () => readFileSync(report, 'utf8') === 'empty',
      end: () =>
        [dropIn, watch, dirname(stale), report].forEach((path) => rmSync(path, { recursive: true, force: true })),
    };
  }

  it('updates the WordPress of a network and rolls it back with all of its tables, and none of a neighbour', async () => {
    const site = fleet.site('multisite');
    const cache = withCache({ id: '', ...site });
    const query = (sql: string) => fleet.query(site, sql);
    // The network has no site 7: these tables are of a neighbour.
    await query('create table wp_7_options like wp_options; create table wp_7_posts like wp_posts');
    const sums = async () => {
      const names = (await query('show tables')).flat().filter((name) => !/options|meta$/.test(name));
      return query(`checksum table ${names.join(', ')}`);
    };
    const before = await sums();
    const { installed, offered } = fleet.versions;
    const order = changes.order(site, { action: 'update', item: 'core.wordpress', to: offered });
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done', from: installed, to: offered });
    expect(cache.wasEmptied()).toBe(true);
    await query(`delete from wp_2_posts; drop table wp_2_terms; update wp_blogs set archived = 1; create table wp_2_new (id int);
      create table wp_7_new (id int)`);
    const { reader } = await changes.rollBack(order, 10);
    expect(reader).toMatchObject({ end: { is: 'done', to: installed }, hasTablesBack: true });
    expect(reader.end).toMatchObject({ messages: [expect.stringContaining('Cale à fichiers')] });
    await query('drop table wp_7_new');
    expect(await sums()).toEqual(before);
    await query('drop table wp_7_options, wp_7_posts');
    cache.end();
  });

  it('installs and activates an archive, also over an older version, and removes it again', async () => {
    const site = fleet.site('noisy');
    const request = { action: 'install', item: 'plugin.boussole', activate: true } as const;
    const first = changes.withArchive(changes.order(site, { ...request, to: '2.1.0' }), pluginArchive('2.1.0'));
    expect((await changes.change(first)).reader.end).toMatchObject({
      is: 'done',
      from: null,
      to: '2.1.0',
      status: 'active',
      rollbackCopy: null,
    });
    const next = changes.withArchive(changes.order(site, { ...request, to: '2.2.0' }), pluginArchive('2.2.0'));
    expect((await changes.change(next)).reader.end).toMatchObject({
      is: 'done',
      from: '2.1.0',
      to: '2.2.0',
      rollbackCopy: { version: '2.1.0' },
    });
    expect((await readState('noisy')).plugins['boussole']).toEqual(['2.2.0', true, false]);
    expect(existsSync(packagePath(home(), next.operation))).toBe(false);
    await changes.rollBack(next);
    expect((await readState('noisy')).plugins['boussole']).toEqual(['2.1.0', true, false]);
    await changes.rollBack(first);
    expect((await readState('noisy')).plugins['boussole']).toBeUndefined();
    expect(existsSync(join(site.path, 'wp-content/plugins/boussole'))).toBe(false);
  });

  it('switches the theme, and back', async () => {
    const site = fleet.site('config-above');
    const order = changes.withArchive(
      changes.order(site, { action: 'install', item: 'theme.voile', activate: true, to: '1.4' }),
      aTheme({ version: '1.4' }),
    );
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done', to: '1.4', status: 'active' });
    expect((await readState('config-above')).theme[1]).toBe('voile');
    await changes.rollBack(order);
    expect((await readState('config-above')).theme[1]).toBe('phare');
    expect(existsSync(join(site.path, 'wp-content/themes/voile'))).toBe(false);
  });

  it('deactivates and activates a plugin, and undoes it without a copy of its files', async () => {
    const site = fleet.site('awkward');
    const deactivation = changes.order(site, { action: 'deactivate', item: 'plugin.relais' });
    const activation = changes.order(site, { action: 'activate', item: 'plugin.relais' });
    expect((await changes.change(deactivation)).reader.end).toMatchObject({ is: 'refused', code: 'nothing_to_do' });
    expect((await changes.change(activation)).reader.end).toMatchObject({
      is: 'done',
      status: 'active',
      rollbackCopy: null,
    });
    expect((await readState('awkward')).plugins['relais']).toEqual(['0.9', true, false]);
    await changes.rollBack(activation);
    expect((await readState('awkward')).plugins['relais']).toEqual(['0.9', false, false]);
  });

  it('deactivates a plugin that keeps the site from starting', async () => {
    const site = fleet.site('broken');
    const { reader } = await changes.change(changes.order(site, { action: 'deactivate', item: 'plugin.avarie' }));
    expect(reader.end).toMatchObject({ is: 'done', status: 'inactive' });
    expect((await fetch(site.url)).status).toBe(200);
    expect((await readState('broken')).left).toEqual(nothingLeft);
  });

  it('restores a rollback copy by hand, and makes a copy of the current version', async () => {
    const site = fleet.site('object-cache');
    const update = changes.order(site, { action: 'update', item: 'plugin.formulaire', to: '2.1.0' });
    await changes.change(update);
    const request = { action: 'restore', item: 'plugin.formulaire', rollbackCopyId: update.operation } as const;
    const installedVersion = () => versionOf(site, 'formulaire');
    await fleet.runPhp(site, "return update_option('auto_updater.lock', time());");
    const locked = await changes.change(changes.order(site, request));
    expect([locked.reader.end, installedVersion()]).toMatchObject([{ is: 'refused', code: 'wordpress_busy' }, '2.1.0']);
    await fleet.runPhp(site, "return delete_option('auto_updater.lock');");
    // Some deploy a site as a link to its newest release.
    renameSync(site.path, `${site.path}.2`);
    symlinkSync(`${site.path}.2`, site.path);
    const moved = await changes.change(changes.order(site, request));
    expect([moved.reader.end, installedVersion()]).toMatchObject([{ is: 'refused', code: 'copy_gone' }, '2.1.0']);
    rmSync(site.path);
    renameSync(`${site.path}.2`, site.path);
    const undo = changes.order(site, request);
    const { reader, code } = await changes.change(undo);
    expect([code, reader.end]).toMatchObject([
      0,
      { is: 'done', from: '2.1.0', to: '2.0.1', rollbackCopy: { version: '2.1.0' } },
    ]);
    const { plugins, left } = await readState('object-cache');
    expect([plugins['formulaire'], left]).toEqual([['2.0.1', true, false], nothingLeft]);
    expect(copiesOf(undo)).toContain(`${undo.operation}.tar`);
    await changes.rollBack(undo);
    expect((await readState('object-cache')).plugins['formulaire']).toEqual(['2.1.0', true, false]);
  });
});
