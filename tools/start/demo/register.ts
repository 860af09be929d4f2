import type { CreateServer, Server } from '@vigie/contracts/servers';
import type { Group } from '@vigie/contracts/groups';
import type { SiteInventory } from '@vigie/contracts/site-inventory';
import type { CreateSite, Site, SiteItem } from '@vigie/contracts/sites';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import { type Log, fr } from '../../terminal';
import type { Api } from './api';
import { type GroupKey, groups, servers, siteOfBrokenUpdate, sites } from './servers';

/** The sites share this machine with Vigie, so only a few are checked at a time. */
const maxParallelChecks = 2;

/** Registers new servers and sites, and checks each site once, so that Vigie shows its state and updates. */
export async function register(api: Api, fleets: readonly Fleet[], log: Log): Promise<void> {
  const groupIds = await registerGroups(api);
  const existing = await api.get<SiteItem[]>('/api/sites');
  const added: Site[] = [];
  for (const [index, server] of (await registerServers(api, fleets)).entries())
    for (const site of fleets[index]?.sites ?? [])
      if (!existing.some(({ url }) => url === site.url))
        added.push(await api.post<Site>('/api/sites', siteForm(site, server, groupIds, fleets[index])));
  if (added.length === 0) {
    log(fr`La flotte de démonstration est enregistrée déjà.`);
    return;
  }
  log(fr`${added.length} sites sont enregistrés ; Vigie les regarde une première fois…`);
  const updateCount = await checkSites(api, added);
  log(
    fr`${updateCount} mises à jour attendent ; « ${nameOf('broken')} » est cassé exprès, et la mise à jour de Sonde cassera « ${nameOf(siteOfBrokenUpdate)} » : Vigie reviendra en arrière.`,
  );
}

const nameOf = (site: string) => sites[site]?.name ?? '';

async function registerGroups(api: Api): Promise<Record<GroupKey, string>> {
  const existing = await api.get<Group[]>('/api/groups');
  const groupId = async (key: GroupKey) =>
    (existing.find(({ name }) => name === groups[key].name) ?? (await api.post<Group>('/api/groups', groups[key]))).id;
  return { vitrines: await groupId('vitrines'), curiosités: await groupId('curiosités') };
}

async function registerServers(api: Api, fleets: readonly Fleet[]): Promise<Server[]> {
  const existing = await api.get<Server[]>('/api/servers');
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
    const existingServer = existing.find((server) => server.host === address.host && server.port === address.port);
    registered.push(existingServer ?? (await api.post<Server>('/api/servers', form)));
  }
  return registered;
}

/** A site with another owner than the server's user logs in as that owner. */
function siteForm(
  site: FleetSite,
  server: Server,
  ids: Record<GroupKey, string>,
  fleet: Fleet | undefined,
): CreateSite {
  const { name, group } = sites[site.name] ?? { name: site.name, group: 'curiosités' };
  const serverConnection = { server_id: server.id, wp_path: site.path };
  const ownerConnection = { ...serverConnection, user: site.owner, auth: { privateKeyPem: fleet?.host.privateKey } };
  const ssh = site.owner === server.user ? serverConnection : ownerConnection;
  return { name, url: site.url, groups: [ids[group]], connection: { method: 'ssh', ssh } };
}

/** Checks the sites and counts their available updates. */
async function checkSites(api: Api, added: readonly Site[]): Promise<number> {
  const queue = [...added];
  let updateCount = 0;
  const checkNext = async () => {
    for (let site = queue.shift(); site; site = queue.shift()) {
      await api.tryGet(`/api/sites/${site.id}/http_status?fresh=1`);
      const inventory = await api.tryGet<Partial<SiteInventory>>(`/api/sites/${site.id}/inventory?fresh=1`);
      updateCount += countUpdates(inventory ?? {});
    }
  };
  await Promise.all(Array.from({ length: maxParallelChecks }, checkNext));
  return updateCount;
}

const countUpdates = ({ core, plugins = [], themes = [] }: Partial<SiteInventory>) =>
  [core, ...plugins, ...themes].filter((part) => part?.new_version).length;
