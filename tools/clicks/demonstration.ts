import { randomUUID } from 'node:crypto';
import { type JobItem, type JobKind, JobTicket } from '@vigie/contracts/jobs';
import type { Server } from '@vigie/contracts/servers';
import type { SiteRepairs } from '@vigie/contracts/site-repairs';
import type { SiteItem } from '@vigie/contracts/sites';
import type { AdminUser } from '@vigie/contracts/users';
import { aZip } from '@vigie/testing/zip';
import { Api } from '../start/demo/api';
import { servers as demoServers, sites as demoSites } from '../start/demo/servers';
import type { Settings } from '../start/env';
import { fr, Refusal, reasonOf, say } from '../terminal';

/** The archive of a plugin that is installed from the uploads. */
export const archive = 'clics.zip';
const maxJobs = 200;

/** The sites that the usual jobs work on, by their role. */
const roles = { site: 'plain', whole: 'config-above', broken: 'broken' } as const;
type Role = keyof typeof roles;

export type Demonstration = Awaited<ReturnType<typeof openDemonstration>>;

/** Finds the sites and a server of a running demonstration, and adds what the usual jobs need there. */
export async function openDemonstration(address: string, settings: Settings) {
  const api = await Api.login(address, settings).catch(() => undefined);
  if (!api) throw new Refusal(fr`Aucune démonstration ne répond à ${address} : lancez d’abord npm run demo.`);
  const sites = await api.get<SiteItem[]>(`/api/sites?q=${encodeURIComponent('serveur:démo-')}&limit=50`);
  const server = (await api.get<Server[]>('/api/servers')).find(({ name }) => name === demoServers[0]?.name);
  const siteOf = (role: Role): SiteItem => {
    const found = sites.find(({ name }) => name === demoSites[roles[role]]?.name);
    if (!found) throw new Refusal(fr`Cette Vigie n’a pas les sites de la démonstration.`);
    return found;
  };
  if (!server) throw new Refusal(fr`Cette Vigie n’a pas les serveurs de la démonstration.`);
  const startedAt = Date.now();
  await upload(api);
  return {
    address,
    api,
    server,
    site: siteOf('site'),
    whole: siteOf('whole'),
    broken: siteOf('broken'),
    startedAt,
    colleague: await addColleague(address, api),
  };
}

async function upload(api: Api): Promise<void> {
  const form = new FormData();
  const content = aZip([
    { name: 'clics/clics.php', content: '<?php\n/**\n * Plugin Name: Clics\n * Version: 1.0.0\n */\n' },
  ]);
  form.append('file', new Blob([new Uint8Array(content)]), archive);
  await api.post('/api/uploads/plugins?replace=1', form);
}

/** An administrator who is not the owner of the sites. */
async function addColleague(address: string, api: Api): Promise<{ id: string; token: string }> {
  const login = { email: `clics-${randomUUID()}@example.org`, password: `Clics-${randomUUID()}` };
  const names = { first_name: 'Camille', last_name: 'Collègue', role: 'admin' };
  const { id } = await api.post<AdminUser>('/api/admin/users', { ...login, ...names });
  const colleague = await Api.open(address, login);
  if (!colleague) throw new Refusal(fr`Le compte ${login.email} ne peut pas se connecter.`);
  return { id, token: colleague.token };
}

/** The newest job of a kind that was asked for since then. */
export async function findJob({ api }: Demonstration, kind: JobKind, since: number): Promise<JobItem | undefined> {
  const { items } = await api.get<{ items: JobItem[] }>(`/api/jobs?limit=${maxJobs}`);
  return items.find((job) => job.kind === kind && Date.parse(job.created_at) >= since);
}

/** Says why a job is not done. */
export const stateOf = (job: JobItem | undefined) =>
  job === undefined
    ? fr`le serveur ne connaît pas cette tâche`
    : job.state === 'succeeded'
      ? undefined
      : fr`le serveur dit de la tâche : ${job.error?.message ?? job.state}`;

/** Brings the sites back to how they were, as far as Vigie can, so that the next run finds work again. */
export async function undo(demonstration: Demonstration): Promise<void> {
  const { api, colleague } = demonstration;
  const undone = await Promise.allSettled([
    rollBackUpdates(demonstration),
    putBack(demonstration),
    api.delete(`/api/uploads/plugins/${archive}`),
    api.delete(`/api/admin/users/${colleague.id}`),
  ]);
  for (const result of undone)
    if (result.status === 'rejected') say(fr`Ceci n’a pas pu être défait : ${reasonOf(result.reason)}`);
}

async function rollBackUpdates({ api, startedAt }: Demonstration): Promise<void> {
  const updates = (await listUpdates(api)).filter(
    ({ state, created_at: createdAt }) => state === 'succeeded' && Date.parse(createdAt) >= startedAt,
  );
  const siteIds = [...new Set(updates.map(({ site_id: siteId }) => siteId))];
  const rollBack = async (siteId: string | null) => {
    for (const { item } of updates.filter((job) => job.site_id === siteId)) {
      if (!item) continue;
      const path = item.kind === 'core' ? 'core' : `${item.kind}s`;
      await runJob(api, `/api/sites/${siteId}/${path}/restore`, { slug: item.slug });
    }
  };
  await Promise.all(siteIds.map(rollBack));
}

/** The updates of single items, newest first, those of the batches included. */
async function listUpdates(api: Api): Promise<JobItem[]> {
  const list = async (batch = '') =>
    (await api.get<{ items: JobItem[] }>(`/api/jobs?limit=${maxJobs}${batch}`)).items.filter(
      ({ kind }) => kind === 'changes.update',
    );
  const found: JobItem[] = [];
  for (const job of await list()) found.push(...(job.counts ? await list(`&batch_id=${job.id}`) : [job]));
  return found.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

/** Breaks the broken site again. */
async function putBack({ api, broken }: Demonstration): Promise<void> {
  const { look } = (await runJob(api, `/api/sites/${broken.id}/repairs/look`, {})) as SiteRepairs;
  for (const { repair } of look?.aside ?? []) await runJob(api, `/api/sites/${broken.id}/repairs`, { repair });
}

/** Asks for a job and returns its result once it has ended. The server answers with a ticket if that takes long. */
async function runJob(api: Api, path: string, body: object): Promise<unknown> {
  const answer = await api.post<object>(path, body);
  const ticket = JobTicket.safeParse(answer).data;
  if (!ticket) return answer;
  const job = await api.waitForEnd(ticket.job_id);
  if (job.state !== 'succeeded') throw new Error(job.error?.message ?? job.state);
  return job.result;
}
