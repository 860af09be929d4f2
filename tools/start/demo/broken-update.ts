import { unofferedPlugins } from '@vigie/testing/fleet/extensions';
import type { Fleet } from '@vigie/testing/fleet/fleet';

const slug = 'sonde';
const versions = { installed: '1.4.0', offered: '1.4.2' };

/** Gives one site a plugin whose update breaks its pages, so that a newcomer sees how Vigie rolls it back. */
export async function offerBrokenUpdate(fleets: readonly Fleet[], siteName: string): Promise<void> {
  for (const fleet of fleets) {
    const site = fleet.sites.find(({ name }) => name === siteName);
    if (!site) continue;
    fleet.wordpressOrg.plugins.set(slug, { version: versions.offered });
    const plugin = unofferedPlugins.find(
      ({ version, ...other }) => other.slug === slug && version === versions.installed,
    );
    await fleet.runPhp(site, installOnce(plugin?.files ?? {}));
  }
}

/** PHP that leaves a plugin of an earlier start as it is. */
const installOnce = (files: Readonly<Record<string, string>>) => `
  $folder = WP_PLUGIN_DIR . '/${slug}';
  if (is_dir($folder)) return false;
  foreach (json_decode(base64_decode('${Buffer.from(JSON.stringify(files)).toString('base64')}'), true) as $name => $text) {
    wp_mkdir_p(dirname("$folder/$name"));
    file_put_contents("$folder/$name", $text);
  }
  require_once ABSPATH . 'wp-admin/includes/plugin.php';
  return activate_plugin('${slug}/${slug}.php') === null;`;
