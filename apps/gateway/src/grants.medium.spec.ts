import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { DnsStage } from '@vigie/testing/dns';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { aSiteState } from '@vigie/testing/site-state';

type User = Awaited<ReturnType<typeof addUser>>;
/** The same things under other names: a server, a group with a subgroup, and a site in each with a plugin and a failed job. */
type Part = { group: string; sites: string[] };

let stage: DnsStage;
let product: TestProduct;
let owner: User;
/** Sees the first part by a grant; the second and the third are hidden from them. */
let guest: User;
/** Owns what is like the first part, and nothing else. */
let twin: User;
let shared: Part;

beforeAll(async () => {
  stage = await DnsStage.shared();
  ({ product } = stage);
  [owner, guest, twin] = [await newUser(), await newUser(), await newUser()];
  shared = await addPart(owner, 'partage');
  const elsewhere = await addPart(owner, 'reserve');
  await addPart(owner, 'cache');
  await addPart(twin, 'partage');
  const other = await newUser();
  await share(guest, shared.group, 'viewer');
  await share(other, elsewhere.group, 'operator');
});
afterAll(() => stage?.stop());

const newUser = () => addUser(product, stage.root);

const ask = (user: User, method: string, path: string, body?: object): Promise<Answer> =>
  product.request(method, `/api${path}`, { token: user.token, ...(body && { body }) });

async function create(user: User, path: string, body: object): Promise<string> {
  const { body: made, text } = await ask(user, 'POST', path, body);
  if (typeof made['id'] !== 'string') throw new Error(text);
  return made['id'];
}

const share = (user: User, groupId: string, role: string) =>
  create(owner, '/grants', { group_id: groupId, user_id: user.id, role });

async function addPart(user: User, mark: string): Promise<Part> {
  const { id: serverId } = await addServer(product, user.token, {
    name: `serveur-${mark}`,
    host: `hote-${mark}.exemple.fr`,
  });
  const group = await create(user, '/groups', { name: `groupe-${mark}` });
  const below = await create(user, '/groups', { name: `sousgroupe-${mark}`, parent_id: group });
  const sites = [];
  for (const [name, at] of [
    [`un-${mark}`, group],
    [`deux-${mark}`, below],
  ]) {
    const ssh = { server_id: serverId, wp_path: `/srv/dossier-${mark}/${name}` };
    sites.push(
      await create(user, '/sites', { name, url: `https://${name}.exemple.fr`, groups: [at], connection: { ssh } }),
    );
  }
  await fill(user, mark, sites);
  return { group, sites };
}

async function fill(user: User, mark: string, sites: string[]): Promise<void> {
  const { database } = product;
  await database.query(
    `update sites.sites set read_at = now(), ssh_error = 'hote-' || $2 || ' refuse', problem = null, updates_core = 1, updates_plugins = 1, wp_version = '6.8'
     where id = any($1::uuid[])`,
    [sites, mark],
  );
  await database.query(
    `insert into sites.site_extensions (site_id, type, slug, kind, file, name, version, status, is_network_active, has_update, new_version)
     select id, 'plugin', slug, 'regular', slug, slug, version, 'active', false, true, version || '.1'
     from unnest($1::uuid[]) id, (values ('plugin-' || $2, '1.0'), ('commun', case $2 when 'partage' then '1.0' else '9.0' end)) x (slug, version)`,
    [sites, mark],
  );
  await database.query(
    `insert into sites.jobs (id, kind, about, owner_id, actor_id, site_id, site_name, queue, lane, is_exclusive, is_heavy, input, state, error, finished_at)
     select gen_random_uuid(), 'backups.create', 'travail-' || $2, $3, $3, id, 'site-' || $2, 'site-transfers', '', false, false, '{}',
       'failed', jsonb_build_object('message', 'hote-' || $2 || ' refuse', 'code', 'refused'), now()
     from unnest($1::uuid[]) id`,
    [sites, mark, user.id],
  );
}

/** Routes that list or count. */
const listRoutes = () =>
  allContracts.flatMap(({ endpoints, access }) =>
    endpoints.flatMap(({ method, path }) =>
      method === 'GET' && (access === 'user' || access === 'fresh') && !path.includes(':')
        ? path.replace('/api', '')
        : [],
    ),
  );

/** What a search needs beside its path. */
const queries: Readonly<Record<string, readonly string[]>> = {
  '/search': ['?q=partage', '?q=reserve', '?q=cache', '?q=exemple'],
  '/sites': ['', '?q=hote', '?sort=server', '?q=reserve', '?q=groupe:groupe-reserve', '?q=plugin:plugin-cache'],
  '/sites/search-hints': ['?q=groupe:zzz', '?q=serveur:zzz', '?q=plugin:zzz'],
  '/dashboard/activity': ['?limit=50', '?grouped=1&limit=50'],
};
const addressesOf = (path: string) => (queries[path] ?? ['']).map((query) => `${path}${query}`);

describe('what is shared with somebody', () => {
  it('names nothing beside it in any list, count or search', async () => {
    for (const address of listRoutes().flatMap(addressesOf)) {
      const { status, text } = await ask(guest, 'GET', address);
      const hidden = text.replaceAll(/"value":"[^"]*"/g, '').match(/-(?:reserve|cache)|(?:serveur|hote|dossier)-\w+/g);
      expect([address, status < 500, hidden]).toEqual([address, true, null]);
    }
  });

  it('is missing in no list and no count', async () => {
    const routes = [
      '/sites',
      '/sites/ids',
      '/groups',
      '/jobs',
      '/dashboard/summary',
      '/dashboard/todo',
      '/dashboard/fleet',
      '/plugins/overview',
      '/plugins/overview/commun/sites',
      '/plugins/overview/export',
      '/sites/export',
      '/search?q=partage',
      '/sites?q=plugin:plugin-partage',
      '/sites?q=groupe:groupe-partage&sort=-updates',
      '/plugins/overview?only_updates=1&sort=name_asc',
    ];
    for (const route of routes) {
      const seen = plain(await ask(guest, 'GET', route));
      expect([route, seen]).toEqual([route, plain(await ask(twin, 'GET', route))]);
      expect(JSON.stringify(seen).length).toBeGreaterThan(30);
    }
  });
});

/** Work as agents report it, with where it was done in all of its parts. */
async function addWork(siteId: string): Promise<string[]> {
  const folder = '/srv/dossier-partage/un-partage';
  const message = `Vigie ne peut pas écrire dans ${folder}/wp-content/plugins.`;
  const step = { step: 'shell', state: 'ok', message: 'En tant que compte-partage.', remedy: null, ms: 1 };
  const facts = { ...aSiteState(), content_dir: `${folder}/wp-content`, owner: 'compte-partage' };
  const tested = { version: '6.8', path: folder, host_key: 'SHA256:partage', steps: [step], facts };
  const failure = { message, remedy: 'chown compte-partage', stderr: folder, code: 'not_writable' };
  const { rows } = await product.database.query(
    `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, site_name, queue, lane, is_exclusive, is_heavy, input, state, result, error, finished_at)
     select gen_random_uuid(), w.kind, $1, $1, $2, 'site', 'site-changes', '', false, false, '{}', w.state, w.result, w.error, now()
     from (values ('sites.test', 'succeeded', $3::jsonb, null::jsonb), ('changes.update', 'failed', null, $4),
       ('changes.update', 'failed', null, $5)) w (kind, state, result, error) returning id`,
    [
      owner.id,
      siteId,
      JSON.stringify(tested),
      JSON.stringify(failure),
      JSON.stringify({ message: `Une autre opération est en cours dans ${folder}.`, code: 'locked' }),
    ],
  );
  const ids = rows.map(({ id }) => String(id));
  const lines = [
    '10.0.0.7 refuse les connexions au port 22. Nouvel essai dans un instant.',
    `Envoi vers ${folder}/wp-content/upgrade.`,
  ];
  await product.database.query(
    `insert into sites.job_log (job_id, seq, text) select j, row_number() over (partition by j), l from unnest($1::uuid[]) j, unnest($2::text[]) l`,
    [ids, lines],
  );
  await product.database.query('update sites.sites set problem = $2, facts = $3 where id = $1', [
    siteId,
    JSON.stringify({
      kind: 'unreadable',
      message: `${message} À compte-partage.`,
      file: null,
      line: null,
      culprit: null,
    }),
    JSON.stringify(facts),
  ]);
  return ids;
}

describe('work on a shared site', () => {
  it('tells neither the host, nor the folder, nor the account, to those who may act', async () => {
    const [siteId = ''] = shared.sites;
    const ids = await addWork(siteId);
    const [operator, manager] = [await newUser(), await newUser()];
    await share(operator, shared.group, 'operator');
    await share(manager, shared.group, 'manager');
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const wish = { name: 'essai', scopes: ['read', 'update'], group_ids: [shared.group], expires_at: expires };
    const narrowed = String((await ask(owner, 'POST', '/tokens', wish)).body['token']);
    const plugins = ['/plugins/overview', '/plugins/overview/commun/sites'];
    const readAll = async (token: string) => {
      const paths = [
        ...ids.map((id) => `/jobs/${id}`),
        `/jobs?site_id=${siteId}`,
        `/sites/${siteId}`,
        '/sites',
        ...plugins,
      ];
      const answers = await Promise.all(paths.map((path) => product.request('GET', `/api${path}`, { token })));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      return answers.map(({ text }) => text).join('\n');
    };
    const places = /hote-partage|10\.0\.0\.7|dossier-partage|compte-partage|SHA256/g;
    expect(new Set((await readAll(owner.token)).match(places))).toEqual(
      new Set(['hote-partage', '10.0.0.7', 'dossier-partage', 'compte-partage', 'SHA256']),
    );
    for (const token of [operator.token, manager.token, narrowed, guest.token]) {
      const seen = await readAll(token);
      expect(seen.match(places)).toBeNull();
      expect(seen).toContain('Vigie ne peut pas écrire dans wp-content/plugins.');
    }
    expect(await readAll(operator.token)).toContain('Envoi vers wp-content/upgrade.');
    expect(await readAll(guest.token)).toContain('Une autre opération est en cours dans ….');
  });
});

/** Fields that differ by whose the object is, or by when it was made. */
const ownFields = new Set([
  'role',
  'shared_by',
  'connection',
  'servers',
  'serversCount',
  'server',
  'server_id',
  'actor_name',
  'may_act',
]);

/** An answer without ids, dates and what only owners see. */
function plain({ body, text, headers }: Answer): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return text.split('\n').map(plainLine);
  return [headers.get('x-total-count'), strip(body)];
}

/** What names the host of a site is said in other words to those who do not own it. */
const withoutHost = (text: string) =>
  text.replaceAll('hote-partage refuse', 'Vigie n’arrive pas à se connecter à ce site.');

/** A line of an export, without its dates and the columns of a connection. */
const plainLine = (line: string) => {
  const cells = withoutHost(line)
    .replaceAll(/\d{4}-\d\d-\d\d[^;]*/g, '')
    .split(';');
  return cells.length === 16 ? cells.toSpliced(3, 5) : cells;
};

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value === 'string') return /^[\da-f-]{36}$|^\d{4}-\d\d-\d\dT/.test(value) ? '…' : withoutHost(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (ownFields.has(key) ? [] : [[key, strip(each)]])),
  );
}
