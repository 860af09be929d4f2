import {
  chownSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Changes, treeOf } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy as owner, onFleet } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';

const describeFleet = onFleet(describe);

describeFleet('a refused change', () => {
  let fleet: Fleet;
  let changes: Changes;
  let site: FleetSite;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'read-only'] });
    changes = await Changes.connect(fleet, 'deploy');
    site = fleet.site('plain');
  });
  afterAll(async () => {
    await changes?.close();
    await fleet?.close();
  });

  /** Checks that a refused change leaves no file, no lock and no copy. */
  type Item = 'plugin.vitrine' | 'plugin.formulaire' | 'plugin.absente' | 'core.wordpress';
  async function refusalOf(target: FleetSite, item: Item, to: string | null = '1.3.0') {
    const before = treeOf(target);
    const order = changes.order(target, { action: 'update', item, to });
    const { reader } = await changes.change(order);
    expect(reader.end).toMatchObject({ is: 'refused' });
    expect(treeOf(target)).toBe(before);
    expect(existsSync(join(fleet.host.homeOf('deploy'), '.vigie/asides', order.site.id, item))).toBe(false);
    return reader.end?.is === 'refused' ? reader.end.code : undefined;
  }
  const locks = () => fleet.query(site, "select option_value from wp_options where option_name = 'auto_updater.lock'");
  const withFile = async <T>(path: string, text: string, work: () => Promise<T>) => {
    const before = existsSync(path) ? readFileSync(path) : undefined;
    writeFileSync(path, text);
    try {
      return await work();
    } finally {
      if (before) writeFileSync(path, before);
      else rmSync(path, { force: true });
    }
  };

  it('leaves the site open when its code ends PHP before anything has changed', async () => {
    const exit = "<?php add_filter('upgrader_pre_download', function () { exit; });\n";
    const plugin = join(site.path, 'wp-content/mu-plugins/exit.php');
    expect(await withFile(plugin, exit, () => refusalOf(site, 'plugin.vitrine'))).toBe('refused_by_wordpress');
    expect(await locks()).toEqual([]);
  });

  it('is refused for read-only files', async () => {
    expect(await refusalOf(fleet.site('read-only'), 'plugin.vitrine')).toBe('changes_forbidden');
  });

  it('is refused for a plugin that is a link', async () => {
    const plugin = join(site.path, 'wp-content/plugins/vitrine');
    const elsewhere = join(site.path, '../commun');
    renameSync(plugin, elsewhere);
    symlinkSync(elsewhere, plugin);
    expect(await refusalOf(site, 'plugin.vitrine')).toBe('changes_forbidden');
    rmSync(plugin);
    renameSync(elsewhere, plugin);
  });

  it('is refused by DISALLOW_FILE_MODS and by Composer', async () => {
    const config = join(site.path, 'wp-config.php');
    const strict = readFileSync(config, 'utf8').replace('<?php', "<?php define('DISALLOW_FILE_MODS', true);");
    expect(await withFile(config, strict, () => refusalOf(site, 'plugin.vitrine'))).toBe('changes_forbidden');
    const composer = JSON.stringify({ require: { 'roots/wordpress': '*' } });
    const underComposer = () => refusalOf(site, 'plugin.vitrine');
    expect(await withFile(join(site.path, 'composer.json'), composer, underComposer)).toBe('changes_forbidden');
  });

  it('is refused if a rollback could not restore the tables', async () => {
    const wordpress = async () => {
      const code = await refusalOf(site, 'core.wordpress', fleet.versions.offered);
      return [code, (await fleet.query(site, "show tables like 'vg%'")).length];
    };
    const config = join(site.path, 'wp-config.php');
    // WordPress loads this configuration, but PHP cannot load it without WordPress.
    const dependent = `${readFileSync(config, 'utf8')}\nadd_filter('the_title', 'trim');\n`;
    expect(await withFile(config, dependent, wordpress)).toEqual(['configuration', 0]);
  });

  it('is refused while WordPress updates; only old traces of an update are removed', async () => {
    const file = join(site.path, '.maintenance');
    const now = Math.floor(Date.now() / 1_000);
    const refusal = () => refusalOf(site, 'plugin.vitrine');
    expect(await withFile(file, `<?php $upgrading = ${now}; ?>`, refusal)).toBe('wordpress_busy');
    await fleet.query(
      site,
      `insert into wp_options (option_name, option_value) values ('auto_updater.lock', '${now}')`,
    );
    expect([await refusal(), await locks()]).toEqual(['wordpress_busy', [[`${now}`]]]);
    await fleet.query(site, "delete from wp_options where option_name = 'auto_updater.lock'");
    writeFileSync(file, `<?php $upgrading = ${now - 900}; ?>`);
    chownSync(file, owner.uid, owner.gid);
    utimesSync(file, now - 900, now - 900);
    const { reader } = await changes.change(
      changes.order(site, { action: 'update', item: 'plugin.relais', to: '1.0' }),
    );
    expect(reader.end).toMatchObject({
      is: 'done',
      messages: expect.arrayContaining([expect.stringContaining('.maintenance')]),
    });
    expect(existsSync(file)).toBe(false);
  });

  it('is refused for a missing item or a version that is not offered', async () => {
    expect(await refusalOf(site, 'plugin.absente')).toBe('refused_by_wordpress');
    expect(await refusalOf(site, 'plugin.vitrine', '1.2.0')).toBe('nothing_to_do');
    expect(await refusalOf(site, 'plugin.vitrine', '4.0')).toBe('refused_by_wordpress');
    expect(await locks()).toEqual([]);
  });

  it('is refused without a licence, and after a failed download', async () => {
    fleet.wordpressOrg.plugins.set('vitrine', { version: '9.9' });
    expect(await refusalOf(site, 'plugin.vitrine', '9.9')).toBe('download_failed');
    const withoutPackage = `$all = get_site_transient('update_plugins');
      $all->response['vitrine/vitrine.php']->package = '';
      return set_site_transient('update_plugins', $all);`;
    expect(await fleet.runPhp(site, withoutPackage)).toBe(true);
    expect(await refusalOf(site, 'plugin.vitrine', '9.9')).toBe('licence_required');
    expect(await locks()).toEqual([]);
  });

  it.each([
    ['Your subscription expired.', 'licence_required'],
    ['Activez votre licence.', 'licence_required'],
    ['SSL: the certificate has expired', 'refused_by_wordpress'],
    ['The shop is closed.', 'refused_by_wordpress'],
  ])('understands the refusal of a plugin shop: %s', async (words, code) => {
    const refusalPhp = `new WP_Error('boutique', '${words}')`;
    const shop = `<?php add_filter('upgrader_pre_download', function () { return ${refusalPhp}; });`;
    const file = join(site.path, 'wp-content/mu-plugins/boutique.php');
    expect(await withFile(file, shop, () => refusalOf(site, 'plugin.formulaire', '2.1.0'))).toBe(code);
  });
});
