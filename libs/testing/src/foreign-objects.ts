import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backupsFolder } from '@vigie/contracts/backups';
import { restoreWord } from '@vigie/contracts/restores';
import { channelRoutes } from './channels';
import { checkRoutes } from './check-rules';
import { deploy, run } from './fleet/machine';
import { addServer, aServer } from './hosts';
import { incidentRoutes } from './incidents';
import { storePasskey } from './passkeys';
import { type Person, sessionOf } from './people';
import type { TestProduct } from './product';
import { hostPassword, type SshHost } from './sshd';
import { statusPageRoutes } from './status-pages';
import { sendArchive, sendFile } from './uploads';
import { anArchive } from './wpress';
import { aPlugin, aTheme } from './zip';

export type RequestParts = {
  params: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** What its owner shares so that others reach the object; undefined where no grant opens it. */
  sharing?: { site_id?: string | undefined; group_id?: string | undefined };
};
type MakeObject = (owner: Person) => Promise<RequestParts>;
type Host = Pick<SshHost, 'port' | 'hostKey' | 'home'>;
export type ForeignObject = {
  /** Creates an object of the owner and returns the route's parameters and body for it. */
  make: MakeObject;
  /** Whether an administrator reaches the object in admin mode. */
  isOpenToAdminMode: boolean;
};

/** An entry for each route whose path names an object, except administrators' routes. */
export function foreignObjects(product: TestProduct, host: Host): Record<string, ForeignObject> {
  const objects = new Objects(product, host);
  const routes = Object.entries({
    ...serverRoutes(objects),
    ...siteRoutes(objects),
    ...backupRoutes(objects),
    ...changeRoutes(objects),
    ...otherRoutes(objects),
    ...channelRoutes(product),
    ...checkRoutes(product, (owner) => objects.openSite(owner)),
    ...incidentRoutes(product, (owner) => objects.openSite(owner)),
    ...statusPageRoutes(product, (owner) => objects.openGroup(owner)),
  });
  return {
    'DELETE /api/auth/sessions/{id}': { make: (owner) => objects.openSession(owner), isOpenToAdminMode: false },
    'DELETE /api/passkeys/{id}': { make: (owner) => storePasskey(product, owner), isOpenToAdminMode: false },
    'PUT /api/passkeys/{id}': {
      make: async (owner) => ({ ...(await storePasskey(product, owner)), ...renamed }),
      isOpenToAdminMode: false,
    },
    'DELETE /api/site-views/{id}': { make: (owner) => objects.openSiteView(owner), isOpenToAdminMode: false },
    'PUT /api/site-views/{id}': {
      make: async (owner) => ({ ...(await objects.openSiteView(owner)), body: { name: randomUUID() } }),
      isOpenToAdminMode: false,
    },
    'DELETE /api/consoles/{id}': { make: (owner) => objects.openConsole(owner), isOpenToAdminMode: false },
    ...Object.fromEntries(routes.map(([route, make]) => [route, { make, isOpenToAdminMode: true }])),
  };
}

const asynchronous = { headers: { prefer: 'respond-async' } };
const renamed = { body: { name: 'autre' } };

function serverRoutes(objects: Objects): Record<string, MakeObject> {
  const server: MakeObject = (owner) => objects.openServer(owner);
  return {
    'DELETE /api/servers/{id}': server,
    'GET /api/servers/{id}': server,
    'GET /api/servers/{id}/pubkey': server,
    'GET /api/servers/{id}/health/history': server,
    'GET /api/servers/{id}/status': server,
    'POST /api/servers/{id}/discover': async (owner) => ({ ...(await server(owner)), ...asynchronous }),
    'POST /api/servers/{id}/test': server,
    'POST /api/servers/{id}/trust': async (owner) => objects.showOtherKey('servers', await server(owner)),
    'POST /api/servers/{id}/ws-ticket': server,
    'PUT /api/servers/{id}': async (owner) => ({ ...(await server(owner)), ...renamed }),
  };
}

function siteRoutes(objects: Objects): Record<string, MakeObject> {
  const site: MakeObject = (owner) => objects.openSite(owner);
  return {
    'DELETE /api/sites/{id}': site,
    'GET /api/sites/{id}': site,
    'GET /api/sites/{id}/inventory': site,
    'GET /api/sites/{id}/uptime': site,
    'GET /api/sites/{id}/http_status': (owner) => objects.openVisitedSite(owner),
    'POST /api/sites/{id}/repairs': async (owner) => ({
      ...(await site(owner)),
      ...asynchronous,
      body: { repair: { action: 'end_maintenance', mtime: 1 } },
    }),
    'POST /api/sites/{id}/repairs/look': async (owner) => ({ ...(await site(owner)), ...asynchronous }),
    'POST /api/sites/{id}/test': async (owner) => ({ ...(await site(owner)), ...asynchronous }),
    'POST /api/sites/{id}/ws-ticket': (owner) => objects.openSite(owner, { host: `${randomUUID()}.exemple.fr` }),
    'POST /api/sites/{id}/trust': async (owner) => objects.showOtherKey('sites', await site(owner)),
    'PUT /api/sites/{id}': async (owner) => ({ ...(await site(owner)), ...renamed }),
  };
}

function backupRoutes(objects: Objects): Record<string, MakeObject> {
  const site: MakeObject = (owner) => objects.openSite(owner);
  const localBackup =
    (query = '', body?: object): MakeObject =>
    async (owner) => ({ ...(await objects.openBackup(owner)), query, ...(body && { body }) });
  const remoteBackup: MakeObject = (owner) => objects.openRemoteBackup(owner);
  return {
    'DELETE /api/sites/{id}/backups/{filename}': remoteBackup,
    'GET /api/sites/{id}/backups': remoteBackup,
    'GET /api/sites/{id}/backups/info': site,
    'GET /api/sites/{id}/backups/local': site,
    'GET /api/sites/{id}/backups/local/{filename}/compare': async (owner) => {
      const backup = await objects.openBackup(owner);
      return { ...backup, query: `?with=${backup.params['filename']}` };
    },
    'GET /api/sites/{id}/backups/local/{filename}/content': localBackup('?path=package.json'),
    'GET /api/sites/{id}/backups/local/{filename}/entries': localBackup(),
    'POST /api/sites/{id}/backups': async (owner) => ({ ...(await site(owner)), ...asynchronous, body: {} }),
    'POST /api/sites/{id}/backups/import': async (owner) => {
      const backup = await objects.openBackup(owner);
      return { ...backup, ...asynchronous, body: { filename: backup.params['filename'] } };
    },
    'POST /api/sites/{id}/backups/local/{filename}/link': localBackup('', {}),
    'POST /api/sites/{id}/backups/upload': (owner) => objects.openBackupForm(owner),
    'POST /api/sites/{id}/backups/{filename}/download': async (owner) => ({
      ...(await remoteBackup(owner)),
      ...asynchronous,
    }),
    'POST /api/sites/{id}/backups/{filename}/restore': async (owner) => {
      return { ...(await remoteBackup(owner)), ...asynchronous, body: { confirm: restoreWord } };
    },
    'POST /api/sites/{id}/backups/{filename}/verify': async (owner) => {
      return { ...(await remoteBackup(owner)), ...asynchronous, body: {} };
    },
  };
}

/** Each change has its own site, because two changes of one item cannot both be queued. */
function changeRoutes(objects: Objects): Record<string, MakeObject> {
  const change =
    (body: object): MakeObject =>
    async (owner) => ({ ...(await objects.openScannedSite(owner)), ...asynchronous, body });
  const install =
    (kind: 'plugins' | 'themes'): MakeObject =>
    async (owner) => {
      const { filename } = (await objects.openUpload(owner, kind)).params;
      return { ...(await objects.openScannedSite(owner)), ...asynchronous, body: { filename } };
    };
  const installOnSites: MakeObject = async (owner) => {
    const { params } = await objects.openUpload(owner, 'plugins');
    return { params, body: { site_ids: [(await objects.openScannedSite(owner)).params['id']] } };
  };
  return {
    'POST /api/sites/{id}/plugins/activate': change({ slug: 'pause' }),
    'POST /api/sites/{id}/plugins/deactivate': change({ slug: 'vitrine' }),
    'POST /api/sites/{id}/plugins/install': install('plugins'),
    'POST /api/sites/{id}/plugins/restore': change({ slug: 'vitrine' }),
    'POST /api/sites/{id}/plugins/update': change({ slug: 'vitrine' }),
    'POST /api/sites/{id}/themes/activate': change({ slug: 'voile' }),
    'POST /api/sites/{id}/themes/install': install('themes'),
    'POST /api/sites/{id}/themes/restore': change({ slug: 'voile' }),
    'POST /api/sites/{id}/themes/update': change({ slug: 'voile' }),
    'POST /api/sites/{id}/core/restore': change({}),
    'POST /api/sites/{id}/core/update': change({}),
    'POST /api/sites/{id}/updates': change({ items: [{ kind: 'plugin', slug: 'vitrine' }] }),
    'POST /api/uploads/{upload_id}/install': installOnSites,
    'POST /api/uploads/{upload_id}/install/plan': installOnSites,
  };
}

function otherRoutes(objects: Objects): Record<string, MakeObject> {
  return {
    'GET /api/plugins/overview/{slug}/sites': (owner) => objects.openPlugin(owner),
    'GET /api/jobs/{id}': (owner) => objects.openJob(owner, 'queued'),
    'POST /api/jobs/{id}/cancel': (owner) => objects.openJob(owner, 'queued'),
    'POST /api/jobs/{id}/retry': (owner) => objects.openJob(owner, 'failed'),
    'GET /api/proposals/{id}': (owner) => objects.openProposal(owner),
    'POST /api/proposals/{id}/confirm': (owner) => objects.openProposal(owner),
    'POST /api/proposals/{id}/reject': (owner) => objects.openProposal(owner),
    'DELETE /api/grants/{id}': (owner) => objects.openGrant(owner),
    'DELETE /api/tokens/{id}': (owner) => objects.openToken(owner),
    'DELETE /api/groups/{id}': (owner) => objects.openGroup(owner),
    'PUT /api/groups/{id}': async (owner) => ({ ...(await objects.openGroup(owner)), ...renamed }),
    'DELETE /api/uploads/plugins/{filename}': (owner) => objects.openUpload(owner, 'plugins'),
    'DELETE /api/uploads/themes/{filename}': (owner) => objects.openUpload(owner, 'themes'),
  };
}

class Objects {
  constructor(
    private readonly product: TestProduct,
    private readonly host: Host,
  ) {}

  async openServer(owner: Person): Promise<RequestParts> {
    const { id } = await addServer(this.product, await sessionOf(this.product, owner), aServer(this.host));
    return { params: { id } };
  }

  async openUpload(owner: Person, kind: 'plugins' | 'themes'): Promise<RequestParts> {
    const archive = kind === 'plugins' ? aPlugin() : aTheme();
    const created = await sendArchive(this.product, archive, `${randomUUID()}.zip`, {
      token: await sessionOf(this.product, owner),
      kind,
    });
    return { params: { filename: String(created.body['filename']), upload_id: String(created.body['id']) } };
  }

  async openGroup(owner: Person): Promise<RequestParts> {
    const token = await sessionOf(this.product, owner);
    const { body } = await this.product.requestPatiently('POST', '/api/groups', { token, body: { name: 'clients' } });
    return { params: { id: String(body['id']) }, sharing: { group_id: String(body['id']) } };
  }

  async openSiteView(owner: Person): Promise<RequestParts> {
    const token = await sessionOf(this.product, owner);
    const body = { name: randomUUID(), columns: ['status'] };
    const created = await this.product.requestPatiently('POST', '/api/site-views', { token, body });
    return { params: { id: String(created.body['id']) } };
  }

  async openSite(owner: Person, more: { host?: string; wp_path?: string; auth?: object } = {}): Promise<RequestParts> {
    const { port } = this.host;
    const ssh = { host: '127.0.0.1', port, user: 'sh', wp_path: '/srv/site', auth: { password: 'x' }, ...more };
    const body = { name: 'site', url: 'https://exemple.fr', connection: { ssh } };
    const created = await this.product.requestPatiently('POST', '/api/sites', {
      token: await sessionOf(this.product, owner),
      body,
    });
    const id = String(created.body['id']);
    return { params: { id }, sharing: { site_id: id } };
  }

  async openBackup(owner: Person): Promise<RequestParts> {
    const { params, sharing } = await this.openSite(owner);
    const [filename, token] = [`${randomUUID()}.wpress`, await sessionOf(this.product, owner)];
    const content = await anArchive({ files: {} });
    await sendFile(this.product, `/api/sites/${params['id']}/backups/upload`, { content, filename, token });
    return { params: { ...params, filename }, sharing };
  }

  /** Creates an archive on a reachable host, below a site with an owner. */
  async openRemoteBackup(owner: Person): Promise<RequestParts> {
    const { home } = this.host;
    const [path, filename] = [join(home, randomUUID()), `${randomUUID()}.wpress`];
    const files = [`wp-content/${backupsFolder}/${filename}`, 'wp-load.php', 'wp-includes/version.php'];
    for (const file of files) {
      mkdirSync(join(path, dirname(file)), { recursive: true });
      writeFileSync(join(path, file), await anArchive({ files: {} }));
    }
    if (process.getuid?.() === 0) {
      for (const folder of [dirname(home), home]) chmodSync(folder, 0o711);
      await run('chown', ['-R', `${deploy.uid}:${deploy.gid}`, path]);
    }
    const { params, sharing } = await this.openSite(owner, { wp_path: path, auth: { password: hostPassword } });
    return { params: { ...params, filename }, sharing };
  }

  async openBackupForm(owner: Person): Promise<RequestParts> {
    const { params, sharing } = await this.openSite(owner);
    const head = `Content-Disposition: form-data; name="file"; filename="${randomUUID()}.wpress"`;
    const archive = (await anArchive({ files: {} })).toString('latin1');
    const body = `--phare\r\n${head}\r\n\r\n${archive}\r\n--phare--\r\n`;
    return { params, sharing, body, headers: { 'content-type': 'multipart/form-data; boundary=phare' } };
  }

  /** Pins another key than the one that the host presents. */
  async showOtherKey(table: 'servers' | 'sites', created: RequestParts): Promise<RequestParts> {
    const [pinned, fingerprint] = [`SHA256:${'A'.repeat(43)}`, this.host.hostKey];
    await this.product.database.query(
      `update sites.${table} set host_key = $2, shown_key = $3, version = version + 1 where id = $1`,
      [created.params['id'], pinned, fingerprint],
    );
    return { ...created, body: { fingerprint } };
  }

  /** Creates a site with a recent visit, so that no new visit starts. */
  async openVisitedSite(owner: Person): Promise<RequestParts> {
    const created = await this.openSite(owner);
    const http = { code: 200, error: null, method: 'GET', url: 'https://exemple.fr', ms: 1, checked_at: new Date() };
    await this.product.database.query('update sites.sites set http = $2 where id = $1', [created.params['id'], http]);
    return created;
  }

  /** Creates a job of an unknown kind, which no agent takes. */
  async openJob(owner: Person, state: string): Promise<RequestParts> {
    const { params, sharing } = await this.openSite(owner);
    const { rows } = await this.product.database.query<{ id: string }>(
      `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, queue, lane, is_exclusive, is_heavy, input, state)
       select gen_random_uuid(), 'none', id, id, $3, 'site-ops', '', false, false, '{}', $2 from auth.users where email = $1
       returning id`,
      [owner.email, state, params['id']],
    );
    return { params: { id: rows[0]?.id ?? '' }, sharing };
  }

  /** Creates the proposal to back up a new site, as an assistant of its owner does. */
  async openProposal(owner: Person): Promise<RequestParts> {
    const { params, sharing } = await this.openSite(owner);
    const { rows } = await this.product.database.query<{ id: string }>(
      `insert into sites.proposals (id, user_id, user_name, "order", input, site_ids, plan, notes, expires_at)
       select gen_random_uuid(), id, email, 'backups', jsonb_build_object('ids', array[$2]), array[$2::uuid], '[]', '[]',
         now() + interval '1 hour' from auth.users where email = $1
       returning id`,
      [owner.email, params['id']],
    );
    return { params: { id: rows[0]?.id ?? '' }, sharing };
  }

  /** Creates a grant of a new site to some administrator. */
  async openGrant(owner: Person): Promise<RequestParts> {
    const { sharing } = await this.openSite(owner);
    const { rows } = await this.product.database.query<{ id: string }>(
      "select id from auth.users where role = 'admin' and email <> $1 limit 1",
      [owner.email],
    );
    const token = await sessionOf(this.product, owner);
    const grant = { ...sharing, user_id: rows[0]?.id, role: 'viewer' };
    const { body } = await this.product.requestPatiently('POST', '/api/grants', { token, body: grant });
    return { params: { id: String(body['id']) }, sharing };
  }

  async openToken(owner: Person): Promise<RequestParts> {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await this.product.requestPatiently('POST', '/api/tokens', {
      token: await sessionOf(this.product, owner),
      body: { name: 'sauvegardes', scopes: ['read'], expires_at: expiresAt },
    });
    return { params: { id: String(body['id']) } };
  }

  /** Creates a console without an agent. */
  async openConsole(owner: Person): Promise<RequestParts> {
    const { rows } = await this.product.database.query<{ id: string }>(
      `insert into sites.consoles (id, user_id, sid, admin_mode, server_id, server_name, server_type, host, port, login)
       select gen_random_uuid(), id, id, false, id, 'web-03', 'prod', 'h', 22, 'sh' from auth.users where email = $1
       returning id`,
      [owner.email],
    );
    return { params: { id: rows[0]?.id ?? '' } };
  }

  async openSession(owner: Person): Promise<RequestParts> {
    const token = await this.product.login(owner);
    const { body } = await this.product.request('GET', '/api/auth/sessions', { token });
    const current = (body['items'] as { id: string; is_current: boolean }[]).find(({ is_current }) => is_current);
    return { params: { id: current?.id ?? '' } };
  }

  async openPlugin(owner: Person): Promise<RequestParts> {
    const { params, sharing } = await this.openScannedSite(owner);
    const { id } = params;
    const slug = `p-${randomUUID()}`;
    await this.product.database.query('update sites.site_extensions set slug = $2 where site_id = $1 and slug = $3', [
      id,
      slug,
      'vitrine',
    ]);
    return { params: { slug }, sharing };
  }

  /** Creates a scanned site with items to update, activate, deactivate and restore. */
  async openScannedSite(owner: Person): Promise<RequestParts> {
    const created = await this.openSite(owner);
    const { id } = created.params;
    await this.product.database.query(
      `update sites.sites set read_at = now(), wp_version = '6.8', new_wp_version = '6.9', updates_core = 1 where id = $1`,
      [id],
    );
    await this.product.database.query(
      `insert into sites.site_extensions (site_id, type, slug, kind, file, name, version, status, is_network_active, has_update, new_version)
       select $1, type, slug, 'regular', '', slug, '1.0', status, false, true, '1.1'
       from (values ('plugin', 'vitrine', 'active'), ('plugin', 'pause', 'inactive'), ('theme', 'voile', 'inactive')) x(type, slug, status)`,
      [id],
    );
    await this.product.database.query(
      `insert into sites.asides (id, site_id, kind, slug, version, bytes, made_at)
       select gen_random_uuid(), $1, kind, slug, '0.9', 1, now()
       from (values ('plugin', 'vitrine'), ('theme', 'voile'), ('core', 'wordpress')) x(kind, slug)`,
      [id],
    );
    return created;
  }
}
