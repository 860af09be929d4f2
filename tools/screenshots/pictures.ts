import { changeCodes } from '@vigie/contracts/change-codes';
import type { JobItem, JobTicket } from '@vigie/contracts/jobs';
import type { Server } from '@vigie/contracts/servers';
import type { SiteItem } from '@vigie/contracts/sites';
import type { Api } from '../start/demo/api';
import { sites as demoSites, siteOfBrokenUpdate } from '../start/demo/servers';
import { fr, Refusal } from '../terminal';

/** `content` is a text that the screen shows once it is whole. */
export type Picture = { name: string; path: string; content: string };

/** Sites that are updated beside the one whose update breaks it. */
const neighbours = 4;

/** The screens to show, of the sites and servers of this demonstration. */
export async function findPictures(api: Api): Promise<Picture[]> {
  const [sites, [server]] = [await api.get<SiteItem[]>('/api/sites'), await api.get<Server[]>('/api/servers')];
  const name = demoSites[siteOfBrokenUpdate]?.name;
  const site = sites.find((candidate) => candidate.name === name);
  if (!site || !server) throw new Refusal(fr`Cette Vigie n’a pas les sites de la démonstration.`);
  const undone = (await findUndone(api, site)) ?? (await updateSites(api, site, sites));
  return [
    { name: 'dashboard', path: '/', content: 'Votre flotte' },
    { name: 'sites', path: '/sites', content: site.name },
    { name: 'task', path: `/tasks/${undone.id}`, content: 'Annulée, site rétabli' },
    { name: 'site', path: `/sites/${site.id}`, content: site.url },
    { name: 'server', path: `/servers/${server.id}?range=hour`, content: 'Mesures' },
  ];
}

/** The update that Vigie undid on this site. */
async function findUndone(api: Api, { id }: SiteItem): Promise<JobItem | undefined> {
  const { items } = await api.get<{ items: JobItem[] }>(`/api/jobs?site_id=${id}&limit=200`);
  return items.find(({ error }) => error?.code === changeCodes.rolledBack && error['still'] === undefined);
}

/** Updates several sites, one of them to the version that breaks it. */
async function updateSites(api: Api, broken: SiteItem, sites: readonly SiteItem[]): Promise<JobItem> {
  const others = sites.filter(({ id, updates }) => id !== broken.id && (updates?.plugins ?? 0) > 0);
  const targets = [
    { site_id: broken.id, kind: 'plugin', slug: 'sonde' },
    ...others.slice(0, neighbours).map(({ id }) => ({ site_id: id, kind: 'plugin', slug: 'vitrine' })),
  ];
  const { job_id: batchId } = await api.post<JobTicket>('/api/updates', { targets });
  await api.waitForEnd(batchId);
  const undone = await findUndone(api, broken);
  if (!undone)
    throw new Refusal(
      fr`La mise à jour qui devait casser « ${broken.name} » n’a pas été annulée : voyez ses tâches dans Vigie.`,
    );
  return undone;
}
