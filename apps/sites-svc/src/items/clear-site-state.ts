import type { EntityManager } from 'typeorm';

/** Forgets what was read from a site that moved: its new place may hold another site. */
export async function clearSiteState(manager: EntityManager, ids: readonly string[]): Promise<void> {
  for (const table of ['site_extensions', 'asides', 'site_licences']) {
    await manager.query(`delete from ${table} where site_id = any($1::uuid[])`, [ids]);
  }
  await manager.query(
    `update sites set ssh_error = null, problem = null, facts = null, mark = null, php_binary = null, php_version = null,
       wp_version = null, new_wp_version = null, plugins_count = null, themes_count = null, updates_core = null,
       updates_plugins = null, updates_themes = null, read_at = null, inspected_at = null, inspected_mark = null
     where id = any($1::uuid[])`,
    [ids],
  );
}
