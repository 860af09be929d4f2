import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Changes } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { aTheme, aZip } from '@vigie/testing/zip';

const describeFleet = onFleet(describe);
const aPlugin = (name: string, version: string) => `<?php\n/*\n * Plugin Name: ${name}\n * Version: ${version}\n */\n`;
const inFolder = (slug: string, version: string) =>
  aZip([{ name: `${slug}/${slug}.php`, content: aPlugin(slug, version) }]);

describeFleet('what lies around an item that is changed', () => {
  let fleet: Fleet;
  let changes: Changes;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'moved-content'] });
    changes = await Changes.of(fleet, 'deploy');
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

  describe('the updates that are known', () => {
    const offered = `return array_map(function ($kind) {
      $known = array_keys(get_site_transient($kind)->response ?? []);
      sort($known);
      return $known;
    }, ['update_plugins', 'update_themes']);`;
    const own = ['boussole-pro/boussole-pro.php', 'formulaire/formulaire.php', 'vitrine/vitrine.php'];

    it('stay known where an archive is installed, with those of what it brought', async () => {
      const site = fleet.site('plain');
      expect(await update(site, 'plugin.relais', '1.0')).toMatchObject({ is: 'done' });
      expect(await fleet.ask(site, offered)).toEqual([own, ['phare']]);
      expect(await install(site, 'plugin.relais', inFolder('relais', '0.8'))).toMatchObject({ is: 'done', to: '0.8' });
      expect(await fleet.ask(site, offered)).toEqual([[...own, 'relais/relais.php'].toSorted(), ['phare']]);
      expect(await install(site, 'theme.voile', aTheme())).toMatchObject({ is: 'done', to: '1.4' });
      expect(await fleet.ask(site, offered)).toEqual([[...own, 'relais/relais.php'].toSorted(), ['phare']]);
    });

    it('stay known where WordPress starts without the plugins that know them', async () => {
      const site = fleet.site('moved-content');
      expect(await update(site, 'plugin.relais', '1.0')).toMatchObject({ is: 'done' });
      appendFileSync(join(contentOf(site), 'plugins/formulaire/formulaire.php'), '\nversion_that_nobody_tried();\n');
      expect(await update(site, 'plugin.formulaire', '2.1.0')).toMatchObject({
        is: 'done',
        said: expect.arrayContaining([expect.stringContaining('sans elles')]),
      });
      const [plugins] = (await fleet.ask(site, offered)) as string[][];
      expect(plugins).toEqual(expect.arrayContaining(['boussole-pro/boussole-pro.php', 'vitrine/vitrine.php']));
    });
  });
});
