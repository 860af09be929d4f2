import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Changes, timedPhp } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { writeFiles } from '@vigie/testing/fleet/extensions';
import { aTheme, aZip } from '@vigie/testing/zip';

const describeFleet = onFleet(describe);
const aPlugin = (name: string, version: string) => `<?php\n/*\n * Plugin Name: ${name}\n * Version: ${version}\n */\n`;
const inFolder = (slug: string, version: string) =>
  aZip([{ name: `${slug}/${slug}.php`, content: aPlugin(slug, version) }]);

describeFleet('the rest of a site during a change', () => {
  let fleet: Fleet;
  let changes: Changes;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'multisite', 'moved-content'] });
    changes = await Changes.connect(fleet, 'deploy');
  });
  afterAll(async () => {
    await changes?.close();
    await fleet?.close();
  });

  const update = async (site: FleetSite, item: 'plugin.relais' | 'plugin.formulaire', to: string) =>
    (await changes.change(changes.order(site, { action: 'update', item, to }))).reader.end;
  const install = async (site: FleetSite, item: `${'plugin' | 'theme'}.${string}`, archive: Buffer) => {
    const order = changes.order(site, { action: 'install', item, activate: item.startsWith('plugin') });
    return (await changes.change(changes.withArchive(order, archive))).reader.end;
  };

  describe('the known updates', () => {
    const offered = `return array_map(function ($kind) {
      $known = array_keys(get_site_transient($kind)->response ?? []);
      sort($known);
      return $known;
    }, ['update_plugins', 'update_themes']);`;
    const offers = ['boussole-pro/boussole-pro.php', 'formulaire/formulaire.php', 'vitrine/vitrine.php'];

    it('survive the installation of an archive, together with those of the new item', async () => {
      const site = fleet.site('plain');
      expect(await update(site, 'plugin.relais', '1.0')).toMatchObject({ is: 'done' });
      expect(await fleet.runPhp(site, offered)).toEqual([offers, ['phare']]);
      expect(await install(site, 'plugin.relais', inFolder('relais', '0.8'))).toMatchObject({ is: 'done', to: '0.8' });
      expect(await fleet.runPhp(site, offered)).toEqual([[...offers, 'relais/relais.php'].toSorted(), ['phare']]);
      expect(await install(site, 'theme.voile', aTheme())).toMatchObject({ is: 'done', to: '1.4' });
      expect(await fleet.runPhp(site, offered)).toEqual([[...offers, 'relais/relais.php'].toSorted(), ['phare']]);
    });

    it('survive invalid answers of WordPress.org', async () => {
      const site = fleet.site('plain');
      expect(await update(site, 'plugin.relais', '1.0')).toMatchObject({ is: 'done' });
      fleet.wordpressOrg.failures.push('nonsense', 'nonsense', 'nonsense');
      expect(await install(site, 'theme.voile', aTheme())).toMatchObject({ is: 'done' });
      // WordPress checks for its own updates at most once a minute.
      expect(fleet.wordpressOrg.failures.splice(0).length).toBeLessThan(2);
      expect(await fleet.runPhp(site, offered)).toEqual([offers, ['phare']]);
    });

    it('survive a start without the plugins that offer them', async () => {
      const site = fleet.site('moved-content');
      expect(await update(site, 'plugin.relais', '1.0')).toMatchObject({ is: 'done' });
      appendFileSync(join(contentOf(site), 'plugins/formulaire/formulaire.php'), '\nversion_that_nobody_tried();\n');
      expect(await update(site, 'plugin.formulaire', '2.1.0')).toMatchObject({
        is: 'done',
        messages: expect.arrayContaining([expect.stringContaining('sans elles')]),
      });
      const [plugins] = (await fleet.runPhp(site, offered)) as string[][];
      expect(plugins).toEqual(expect.arrayContaining(['boussole-pro/boussole-pro.php', 'vitrine/vitrine.php']));
    });
  });

  it('gets back the widgets and rewrite rules of the previous theme', async () => {
    const site = fleet.site('plain');
    const themeOf = (name: string, sidebars: readonly string[], more = '') => ({
      'style.css': `/*\n * Theme Name: ${name}\n * Version: 1.0\n */\n`,
      'functions.php': `<?php\n${sidebars.map((id) => `register_sidebar(['id' => '${id}', 'name' => '${id}']);`).join('\n')}\n${more}`,
      'index.php': `<html><body>${sidebars.map((id) => `<?php dynamic_sidebar('${id}'); ?>`).join('\n')}</body></html>\n`,
    });
    const postType = `add_action('init', fn () => register_post_type('bateau', ['public' => true]));\n`;
    writeFiles(join(contentOf(site), 'themes/quai'), themeOf('Quai', ['quai'], postType));
    writeFiles(join(contentOf(site), 'themes/ponton'), themeOf('Ponton', ['avant', 'arriere']));
    await fleet.runPhp(site, `switch_theme('quai'); return 1;`);
    await fetch(site.url);
    await fleet.runPhp(
      site,
      `update_option('widget_text', [2 => ['title' => '', 'text' => 'Haute mer à midi'], '_multiwidget' => 1]);
       update_option('sidebars_widgets', ['wp_inactive_widgets' => [], 'quai' => ['text-2'], 'array_version' => 3]);
       return wp_insert_post(['post_type' => 'bateau', 'post_name' => 'misaine', 'post_title' => 'M', 'post_status' => 'publish']);`,
    );
    const visitorsView = async () => {
      const [home, boat] = [await fetch(site.url), await fetch(`${site.url}/bateau/misaine/`)];
      return [(await home.text()).includes('Haute mer à midi'), boat.status];
    };
    const themeOptions = `return array_map('get_option', ['sidebars_widgets', 'theme_switched', 'template', 'stylesheet', 'current_theme']);`;
    expect(await visitorsView()).toEqual([true, 200]);
    const before = await fleet.runPhp(site, themeOptions);
    const order = changes.order(site, { action: 'activate', item: 'theme.ponton' });
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done', status: 'active' });
    // The first visit lets WordPress move the widgets to the new theme.
    expect(await visitorsView()).toEqual([false, 404]);
    expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'done' });
    expect(await fleet.runPhp(site, themeOptions)).toEqual(before);
    expect(await visitorsView()).toEqual([true, 200]);
  });

  it('is upgraded in every site of a network, and failures name the site', async () => {
    const site = fleet.site('multisite');
    const { migrating } = fleet.versions;
    fleet.wordpressOrg.core = migrating;
    // A site of the network whose tables are gone.
    await fleet.query(
      site,
      `insert into wp_blogs (site_id, domain, path) select site_id, domain, '/perdu/' from wp_blogs limit 1;
      create table wp_3_options like wp_options`,
    );
    const timed = timedPhp(fleet);
    const order = {
      ...changes.order(site, { action: 'update', item: 'core.wordpress', to: migrating }),
      php: timed.path,
    };
    const { end } = (await changes.change(order)).reader;
    expect(end).toMatchObject({
      is: 'done',
      to: migrating,
      messages: expect.arrayContaining([expect.stringContaining('/perdu/')]),
    });
    const state = `return array_map(fn ($id) => [get_blog_option($id, 'db_version') == $GLOBALS['wp_db_version'], get_blog_option($id, 'tides')], [1, 2]);`;
    expect(await fleet.runPhp(site, state)).toEqual([
      [true, '1'],
      [true, '1'],
    ]);
    const tables = (await fleet.query(site, 'show tables')).length;
    const [, ...limits] = timed.limits();
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(600 + Math.floor(tables / 2));
    await changes.rollBack(order);
  });

  it('gets a plugin folder with the right name, whatever is at the top of the archive', async () => {
    const site = fleet.site('plain');
    const loose = aZip([
      { name: 'phoque.php', content: aPlugin('Phoque', '1.0') },
      { name: 'phoque/notes.txt', content: 'x' },
    ]);
    expect(await install(site, 'plugin.phoque', loose)).toMatchObject({ is: 'done', to: '1.0', status: 'active' });
    const littered = aZip([
      { name: 'cormoran/cormoran.php', content: aPlugin('Cormoran', '1.0') },
      { name: '.DS_Store', content: 'x' },
      { name: '._cormoran', content: 'x' },
    ]);
    expect(await install(site, 'plugin.cormoran', littered)).toMatchObject({ is: 'done', to: '1.0', status: 'active' });
    const files = `require_once ABSPATH . 'wp-admin/includes/plugin.php';
      return array_values(preg_grep('~phoque|cormoran~', array_keys(get_plugins())));`;
    expect(await fleet.runPhp(site, files)).toEqual(['cormoran/cormoran.php', 'phoque/phoque.php']);
  });

  it('gets a plugin activated by its main file', async () => {
    const site = fleet.site('plain');
    const two = aZip([
      { name: 'sterne/appoint.php', content: aPlugin('Appoint', '0.1') },
      { name: 'sterne/sterne.php', content: aPlugin('Sterne', '3.0') },
    ]);
    expect(await install(site, 'plugin.sterne', two)).toMatchObject({
      is: 'done',
      to: '3.0',
      name: 'Sterne',
      status: 'active',
    });
    const active = `return array_values(preg_grep('~sterne~', get_option('active_plugins')));`;
    expect(await fleet.runPhp(site, active)).toEqual(['sterne/sterne.php']);
  });
});
