import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backupsFolder } from '@vigie/contracts/backups';
import { restoreWord } from '@vigie/contracts/restores';
import { deploy, run } from './fleet/machine';
import { addServer, aServer } from './hosts';
import { type Person, sessionOf } from './people';
import type { TestProduct } from './product';
import { hostPassword, type SshHost } from './sshd';
import { sendArchive, sendFile } from './uploads';
import { anArchive } from './wpress';
import { aPlugin, aTheme } from './zip';

export type Made = {
  params: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
};
type Make = (owner: Person) => Promise<Made>;
type Host = Pick<SshHost, 'port' | 'hostKey' | 'home'>;
export type ForeignObject = {
  /** Creates an object of the owner and returns the route's parameters and body for it. */
  make: Make;
  /** Whether an administrator reaches the object in admin mode. */
  isOpenToAdminMode: boolean;
};

/** An entry for each route whose path names an object, except administrators' routes. */
export function foreignObjects(product: TestProduct, host: Host): Record<string, ForeignObject> {
  const open = new Objects(product, host);
  const opened = Object.entries({
    ...ofServers(open),
    ...ofSites(open),
    ...ofBackups(open),
    ...ofChanges(open),
    ...ofOthers(open),
  });
  return {
    'DELETE /api/auth/sessions/{id}': { make: (owner) => open.openSession(owner), isOpenToAdminMode: false },
    'DELETE /api/site-views/{id}': { make: (owner) => open.openSiteView(owner), isOpenToAdminMode: false },
    'PUT /api/site-views/{id}': {
      make: async (owner) => ({ ...(await open.openSiteView(owner)), body: { name: randomUUID() } }),
      isOpenToAdminMode: false,
    },
    'DELETE /api/consoles/{id}': { make: (owner) => open.openConsole(owner), isOpenToAdminMode: false },
    ...Object.fromEntries(opened.map(([route, make]) => [route, { make, isOpenToAdminMode: true }])),
  };
}

const later = { headers: { prefer: 'respond-async' } };
const renamed = { body: { name: 'autre' } };

function ofServers(open: Objects): Record<string, Make> {
  const server: Make = (owner) => open.openServer(owner);
  return {
    'DELETE /api/servers/{id}': server,
    'GET /api/servers/{id}': server,
    'GET /api/servers/{id}/pubkey': server,
    'GET /api/servers/{id}/status': server,
    'POST /api/servers/{id}/discover': async (owner) => ({ ...(await server(owner)), ...later }),
    'POST /api/servers/{id}/test': server,
    'POST /api/servers/{id}/trust': async (owner) => open.showOtherKey('servers', await server(owner)),
    'POST /api/servers/{id}/ws-ticket': server,
    'PUT /api/servers/{id}': async (owner) => ({ ...(await server(owner)), ...renamed }),
  };
}

function ofSites(open: Objects): Record<string, Make> {
  const site: Make = (owner) => open.openSite(owner);
  return {
    'DELETE /api/sites/{id}': site,
    'GET /api/sites/{id}': site,
    'GET /api/sites/{id}/inventory': site,
    'GET /api/sites/{id}/http_status': (owner) => open.openVisitedSite(owner),
    'POST /api/sites/{id}/repairs': async (owner) => ({
      ...(await site(owner)),
      ...later,
      body: { repair: { action: 'end_maintenance', mtime: 1 } },
    }),
    'POST /api/sites/{id}/repairs/look': async (owner) => ({ ...(await site(owner)), ...later }),
    'POST /api/sites/{id}/test': async (owner) => ({ ...(await site(owner)), ...later }),
    'POST /api/sites/{id}/trust': async (owner) => open.showOtherKey('sites', await site(owner)),
    'PUT /api/sites/{id}': async (owner) => ({ ...(await site(owner)), ...renamed }),
  };
}

function ofBackups(open: Objects): Record<string, Make> {
  const site: Make = (owner) => open.openSite(owner);
  const local =
    (query = '', body?: object): Make =>
    async (owner) => ({ ...(await open.openBackup(owner)), query, ...(body && { body }) });
  const there: Make = (owner) => open.openRemoteBackup(owner);
  return {
    'DELETE /api/sites/{id}/backups/{filename}': there,
    'GET /api/sites/{id}/backups': there,
    'GET /api/sites/{id}/backups/info': site,
    'GET /api/sites/{id}/backups/local': site,
    'GET /api/sites/{id}/backups/local/{filename}/compare': async (owner) => {
      const { params } = await open.openBackup(owner);
      return { params, query: `?with=${params['filename']}` };
    },
    'GET /api/sites/{id}/backups/local/{filename}/content': local('?path=package.json'),
    'GET /api/sites/{id}/backups/local/{filename}/entries': local(),
    'POST /api/sites/{id}/backups': async (owner) => ({ ...(await site(owner)), ...later, body: {} }),
    'POST /api/sites/{id}/backups/import': async (owner) => {
      const { params } = await open.openBackup(owner);
      return { params, ...later, body: { filename: params['filename'] } };
    },
    'POST /api/sites/{id}/backups/local/{filename}/link': local('', {}),
    'POST /api/sites/{id}/backups/upload': (owner) => open.openBackupForm(owner),
    'POST /api/sites/{id}/backups/{filename}/download': async (owner) => ({ ...(await there(owner)), ...later }),
    'POST /api/sites/{id}/backups/{filename}/restore': async (owner) => {
      return { ...(await there(owner)), ...later, body: { confirm: restoreWord } };
    },
    'POST /api/sites/{id}/backups/{filename}/verify': async (owner) => {
      return { ...(await there(owner)), ...later, body: {} };
    },
  };
}

/** Each change has its own site, because two changes of one item cannot both be queued. */
function ofChanges(open: Objects): Record<string, Make> {
  const change =
    (body: object): Make =>
    async (owner) => ({ ...(await open.openReadSite(owner)), ...later, body });
  const install =
    (kind: 'plugins' | 'themes'): Make =>
    async (owner) => {
      const { filename } = (await open.openUpload(owner, kind)).params;
      return { ...(await open.openReadSite(owner)), ...later, body: { filename } };
    };
  const spread: Make = async (owner) => {
    const { params } = await open.openUpload(owner, 'plugins');
    return { params, body: { site_ids: [(await open.openReadSite(owner)).params['id']] } };
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
    'POST /api/uploads/{upload_id}/install': spread,
    'POST /api/uploads/{upload_id}/install/plan': spread,
  };
}

function ofOthers(open: Objects): Record<string, Make> {
  return {
    'GET /api/plugins/overview/{slug}/sites': (owner) => open.openPlugin(owner),
    'GET /api/jobs/{id}': (owner) => open.openJob(owner, 'queued'),
    'POST /api/jobs/{id}/cancel': (owner) => open.openJob(owner, 'queued'),
    'POST /api/jobs/{id}/retry': (owner) => open.openJob(owner, 'failed'),
    'DELETE /api/groups/{id}': (owner) => open.openGroup(owner),
    'PUT /api/groups/{id}': async (owner) => ({ ...(await open.openGroup(owner)), ...renamed }),
    'DELETE /api/uploads/plugins/{filename}': (owner) => open.openUpload(owner, 'plugins'),
    'DELETE /api/uploads/themes/{filename}': (owner) => open.openUpload(owner, 'themes'),
  };
}

class Objects {
  constructor(
    private readonly product: TestProduct,
    private readonly host: Host,
  ) {}

  async openServer(owner: Person): Promise<Made> {
    const { id } = await addServer(this.product, await sessionOf(this.product, owner), aServer(this.host));
    return { params: { id } };
  }

  async openUpload(owner: Person, kind: 'plugins' | 'themes'): Promise<Made> {
    const archive = kind === 'plugins' ? aPlugin() : aTheme();
    const made = await sendArchive(this.product, archive, `${randomUUID()}.zip`, {
      token: await sessionOf(this.product, owner),
      kind,
    });
    return { params: { filename: String(made.body['filename']), upload_id: String(made.body['id']) } };
  }

  async openGroup(owner: Person): Promise<Made> {
    const token = await sessionOf(this.product, owner);
    const { body } = await this.product.request('POST', '/api/groups', { token, body: { name: 'clients' } });
    return { params: { id: String(body['id']) } };
  }

  async openSiteView(owner: Person): Promise<Made> {
    const token = await sessionOf(this.product, owner);
    const body = { name: randomUUID(), columns: ['status'] };
    const made = await this.product.request('POST', '/api/site-views', { token, body });
    return { params: { id: String(made.body['id']) } };
  }

  async openSite(owner: Person, path = '/srv/site', password = 'x'): Promise<Made> {
    const ssh = { host: '127.0.0.1', port: this.host.port, user: 'sh', wp_path: path, auth: { password } };
    const body = { name: 'site', url: 'https://exemple.fr', connection: { ssh } };
    const made = await this.product.request('POST', '/api/sites', {
      token: await sessionOf(this.product, owner),
      body,
    });
    return { params: { id: String(made.body['id']) } };
  }

  /** Creates an archive in the store. */
  async openBackup(owner: Person): Promise<Made> {
    const { params } = await this.openSite(owner);
    const [filename, token] = [`${randomUUID()}.wpress`, await sessionOf(this.product, owner)];
    const content = await anArchive({ files: {} });
    await sendFile(this.product, `/api/sites/${params['id']}/backups/upload`, { content, filename, token });
    return { params: { ...params, filename } };
  }

  /** Creates an archive on a reachable host, below a site with an owner. */
  async openRemoteBackup(owner: Person): Promise<Made> {
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
    const { params } = await this.openSite(owner, path, hostPassword);
    return { params: { ...params, filename } };
  }

  async openBackupForm(owner: Person): Promise<Made> {
    const { params } = await this.openSite(owner);
    const head = `Content-Disposition: form-data; name="file"; filename="${randomUUID()}.wpress"`;
    const archive = (await anArchive({ files: {} })).toString('latin1');
    const body = `--phare\r\n${head}\r\n\r\n${archive}\r\n--phare--\r\n`;
    return { params, body, headers: { 'content-type': 'multipart/form-data; boundary=phare' } };
  }

  /** Pins another key than the one that the host presents. */
  async showOtherKey(table: 'servers' | 'sites', made: Made): Promise<Made> {
    const [pinned, fingerprint] = [`SHA256:${'A'.repeat(43)}`, this.host.hostKey];
    await this.product.database.query(
      `update sites.${table} set host_key = $2, shown_key = $3, version = version + 1 where id = $1`,
      [made.params['id'], pinned, fingerprint],
    );
    return { ...made, body: { fingerprint } };
  }

  /** Creates a site with a recent visit, so that no new visit starts. */
  async openVisitedSite(owner: Person): Promise<Made> {
    const made = await this.openSite(owner);
    const seen = { code: 200, error: null, method: 'GET', url: 'https://exemple.fr', ms: 1, checked_at: new Date() };
    await this.product.database.query('update sites.sites set http = $2 where id = $1', [made.params['id'], seen]);
    return made;
  }

  /** Creates a job of an unknown kind, which no agent takes. */
  async openJob(owner: Person, state: string): Promise<Made> {
    const { rows } = await this.product.database.query<{ id: string }>(
      `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input, state)
       select gen_random_uuid(), 'none', id, id, 'site-ops', '', false, false, '{}', $2 from auth.users where email = $1
       returning id`,
      [owner.email, state],
    );
    return { params: { id: rows[0]?.id ?? '' } };
  }

  /** Creates a console without an agent. */
  async openConsole(owner: Person): Promise<Made> {
    const { rows } = await this.product.database.query<{ id: string }>(
      `insert into sites.consoles (id, user_id, sid, admin_mode, server_id, server_name, server_type, host, port, login)
       select gen_random_uuid(), id, id, false, id, 'web-03', 'prod', 'h', 22, 'sh' from auth.users where email = $1
       returning id`,
      [owner.email],
    );
    return { params: { id: rows[0]?.id ?? '' } };
  }

  /** Opens another session of the owner. */
  async openSession(owner: Person): Promise<Made> {
    const token = await this.product.login(owner);
    const { body } = await this.product.request('GET', '/api/auth/sessions', { token });
    const current = (body['items'] as { id: string; is_current: boolean }[]).find(({ is_current }) => is_current);
    return { params: { id: current?.id ?? '' } };
  }

  async openPlugin(owner: Person): Promise<Made> {
    const { id } = (await this.openReadSite(owner)).params;
    const slug = `p-${randomUUID()}`;
    await this.product.database.query('update sites.site_extensions set slug = $2 where site_id = $1 and slug = $3', [
      id,
      slug,
      'vitrine',
    ]);
    return { params: { slug } };
  }

  /** Creates a scanned site with items to update, activate, deactivate and restore. */
  async openReadSite(owner: Person): Promise<Made> {
    const made = await this.openSite(owner);
    const { id } = made.params;
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
    return made;
  }
}
