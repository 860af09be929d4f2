/** Queries the product's schema without changing `search_path`. */
type Query = (sql: string, values: unknown[]) => Promise<unknown>;

export type Sizes = { servers: number; sites: number; plugins: number; groups: number };

/** Inserts a large fleet of imaginary hosts with useless credentials. */
export async function seedFleet(query: Query, ownerId: string, sizes: Sizes): Promise<void> {
  await query(addServers, [ownerId, sizes.servers]);
  await query(addSamples, [ownerId]);
  await query(addGroups, [ownerId, sizes.groups]);
  await query(addSites, [ownerId, sizes.sites]);
  await query(addExtensions, [ownerId, sizes.plugins]);
  // The planner has no statistics of new rows yet, and the next statements join all of them.
  await query('analyze sites.sites, sites.site_extensions', []);
  await query(countUpdates, [ownerId]);
  await query(joinGroups, [ownerId]);
}

/** Inserts uploads without files, which cannot be installed. */
export async function seedUploads(query: Query, ownerId: string, count: number): Promise<void> {
  await query(addUploads, [ownerId, count]);
}

const addServers = `
  insert into sites.servers (id, owner_id, name, host, port, login, provider, type, credential, method, public_key, status,
    vitals, alerts)
  select gen_random_uuid(), $1, 'web-' || n, 'web-' || n || '.exemple.invalid', 22, 'root',
    (array['OVH', 'Scaleway', 'Hetzner', 'Infomaniak'])[1 + n % 4],
    case when n % 10 = 0 then 'dev' when n % 25 = 1 then 'backup' else 'prod' end,
    '{"protected": "", "iv": "", "ciphertext": "", "tag": ""}', 'key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA',
    jsonb_build_object('online', n % 40 <> 0, 'uptime_seconds', n * 3600, 'since', to_char((now() - n * interval '1 hour') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'method', case when n % 40 <> 0 then 'ssh' end, 'error', case when n % 40 = 0 then 'Le serveur ne répond pas.' end,
      'checked_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    case when n % 7 <> 0 then jsonb_build_object('uptime_seconds', n * 3600, 'load', n % 50 / 20.0, 'cores', 4,
      'mem_used_kib', 1000000 + n % 31 * 100000, 'mem_total_kib', 8000000, 'disk_pct', case when n % 30 = 0 then 93 else n % 89 end,
      'disk_mount', '/', 'procs', 100 + n % 97, 'threads', 300 + n % 211, 'skew_seconds', 0) end,
    case when n % 40 = 0 then '[{"kind": "status", "value": null, "threshold": null, "since": "2026-01-01T00:00:00Z"}]'::jsonb
      when n % 30 = 0 and n % 7 <> 0
        then '[{"kind": "disk", "value": 93, "threshold": 90, "since": "2026-01-01T00:00:00Z"}]'::jsonb
      else '[]' end
  from generate_series(1, $2::int) n`;

const addSamples = `
  insert into sites.health_samples (server_id, at, is_up, load, mem_pct, disk_pct)
  select s.id, now() - k * interval '2 minutes', true, abs(hashtext(s.name) + k) % 40 / 20.0, 40, 50
  from sites.servers s cross join generate_series(1, 29) k
  where s.owner_id = $1 and s.host like '%.exemple.invalid' and s.vitals is not null on conflict do nothing`;

/** Groups in chains of four, each below the previous one. */
const addGroups = `
  with made as (select n, gen_random_uuid() as id from generate_series(1, $2::int) n)
  insert into sites.groups (id, owner_id, name, parent_id)
  select m.id, $1, 'Groupe ' || m.n, (select p.id from made p where m.n % 4 <> 1 and p.n = m.n - (m.n - 1) % 4) from made m`;

const addSites = `
  with hosts as (select id, row_number() over (order by name, id) - 1 as at, count(*) over () as n
    from sites.servers where owner_id = $1 and host like '%.exemple.invalid')
  insert into sites.sites (id, owner_id, name, url, server_id, wp_path, wp_version, new_wp_version, updates_core,
    updates_plugins, updates_themes, themes_count, php_version, php_binary, read_at, http)
  select gen_random_uuid(), $1, (array['Boutique', 'Atelier', 'Mairie', 'Musée', 'Éditions'])[1 + s % 5] || ' ' || s,
    'https://site-' || s || '.exemple.invalid', h.id, '/var/www/site-' || s,
    case when s % 9 = 0 then '6.8.2' else '6.9' end, case when s % 9 = 0 then '6.9' end, (s % 9 = 0)::int, 0, 0, 2,
    (array['8.1.29', '8.2.20', '8.3.8'])[1 + s % 3], '/usr/bin/php', now() - s * interval '10 seconds' / 100,
    jsonb_build_object('code', case when s % 97 = 0 then 500 when s % 53 = 0 then 404 else 200 end, 'error', null,
      'method', 'GET', 'url', 'https://site-' || s || '.exemple.invalid/', 'ms', 80 + s % 400,
      'checked_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
  from generate_series(1, $2::int) s left join hosts h on h.at = s % h.n`;

const addExtensions = `
  insert into sites.site_extensions (site_id, owner_id, type, slug, kind, file, name, version, status, is_network_active, has_update,
    new_version)
  select s.id, s.owner_id, 'plugin', 'extension-' || k, 'regular', 'extension-' || k || '/extension-' || k || '.php', 'Extension ' || k,
    '1.' || abs(hashtext(s.id::text)) % 4 + k % 7, case when (hashtext(s.id::text) + k) % 5 = 0 then 'inactive' else 'active' end, false,
    (hashtext(s.id::text) + k) % 17 = 0, case when (hashtext(s.id::text) + k) % 17 = 0 then '2.0' end
  from sites.sites s cross join generate_series(1, $2::int) k
  where s.owner_id = $1 and s.url like '%.exemple.invalid' on conflict do nothing`;

const countUpdates = `
  update sites.sites s set plugins_count = c.n, updates_plugins = c.updates
  from (select site_id, count(*)::int as n, count(*) filter (where has_update)::int as updates
    from sites.site_extensions where type = 'plugin' group by 1) c
  where c.site_id = s.id and s.owner_id = $1 and s.url like '%.exemple.invalid'`;

const joinGroups = `
  with g as (select id, row_number() over (order by name, id) - 1 as at, count(*) over () as n
    from sites.groups where owner_id = $1)
  insert into sites.site_groups (site_id, group_id)
  select s.id, g.id from sites.sites s join g on g.at = abs(hashtext(s.id::text)) % g.n
  where s.owner_id = $1 and s.url like '%.exemple.invalid' on conflict do nothing`;

const addUploads = `
  insert into sites.uploads (id, owner_id, type, filename, slug, name, version, size, sha256, object_key, created_at)
  select gen_random_uuid(), $1, 'plugin', 'extension-' || n || '.zip', 'extension-' || n, 'Extension ' || n, '1.' || n,
    100000 + n, repeat('0', 64), 'imaginaire-' || n, now() - n * interval '1 minute'
  from generate_series(1, $2::int) n on conflict do nothing`;
