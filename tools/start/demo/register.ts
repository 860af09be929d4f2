import type { CreateServer, Server } from '@vigie/contracts/servers';
import type { Group } from '@vigie/contracts/groups';
import type { CreateSite, Site, SiteInventory, SiteItem } from '@vigie/contracts/sites';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import { type Log, fr } from '../../terminal';
import type { Api } from './api';
import { type GroupKey, groups, servers, sites } from './servers';

/** So many looks at a time: the sites share this machine with Vigie. */
const looksAtOnce = 2;

/** Registers what is not registered yet, and looks at it once, so that its state and updates are there to see. */
export async function register(api: Api, fleets: readonly Fleet[], log: Log): Promise<void> {
  const groupIds = await registerGroups(api);
  const known = await api.get<SiteItem[]>('/api/sites');
  const added: Site[] = [];
  for (const [index, server] of (await registerServers(api, fleets)).entries())
    for (const site of fleets[index]?.sites ?? [])
      if (!known.some(({ url }) => url === site.url))
        added.push(await api.post<Site>('/api/sites', formOf(site, server, groupIds, fleets[index])));
  if (added.length === 0) {
    log(fr`La flotte de démonstration est enregistrée déjà.`);
    return;
  }
  log(fr`${added.length} sites sont enregistrés ; Vigie les regarde une première fois…`);
  const waiting = await lookAt(api, added);
  log(fr`${waiting} mises à jour attendent ; « ${sites['broken']?.name ?? ''} » est cassé exprès.`);
}

async function registerGroups(api: Api): Promise<Record<GroupKey, string>> {
  const known = await api.get<Group[]>('/api/groups');
  const idOf = async (key: GroupKey) =>
    (known.find(({ name }) => name === groups[key].name) ?? (await api.post<Group>('/api/groups', groups[key]))).id;
  return { vitrines: await idOf('vitrines'), curiosités: await idOf('curiosités') };
}

async function registerServers(api: Api, fleets: readonly Fleet[]): Promise<Server[]> {
  const known = await api.get<Server[]>('/api/servers');
  const registered: Server[] = [];
  for (const [index, { host }] of fleets.entries()) {
    const { name = '', provider } = servers[index] ?? {};
    const address = { host: '127.0.0.1', port: host.port };
    const form: CreateServer = {
      ...address,
      name,
      provider,
      user: 'deploy',
      type: 'dev',
      auth: { privateKeyPem: host.privateKey },
    };
    const there = known.find((server) => server.host === address.host && server.port === address.port);
    registered.push(there ?? (await api.post<Server>('/api/servers', form)));
  }
  return registered;
}

/** A site of another owner has that owner's login. */
function formOf(site: FleetSite, server: Server, ids: Record<GroupKey, string>, fleet: Fleet | undefined): CreateSite {
  const { name, group } = sites[site.name] ?? { name: site.name, group: 'curiosités' };
  const way = { server_id: server.id, wp_path: site.path };
  const own = { ...way, user: site.owner, auth: { privateKeyPem: fleet?.host.privateKey } };
  const ssh = site.owner === server.user ? way : own;
  return { name, url: site.url, groups: [ids[group]], connection: { method: 'ssh', ssh } };
}

/** How many updates wait in all of them. */
async function lookAt(api: Api, added: readonly Site[]): Promise<number> {
  const left = [...added];
  let waiting = 0;
  const look = async () => {
    for (let site = left.shift(); site; site = left.shift()) {
      await api.tryGet(`/api/sites/${site.id}/http_status?fresh=1`);
      const seen = await api.tryGet<Partial<SiteInventory>>(`/api/sites/${site.id}/inventory?fresh=1`);
      waiting += updatesOf(seen ?? {});
    }
  };
  await Promise.all(Array.from({ length: looksAtOnce }, look));
  return waiting;
}

const updatesOf = ({ core, plugins = [], themes = [] }: Partial<SiteInventory>) =>
  [core, ...plugins, ...themes].filter((part) => part?.new_version).length;
