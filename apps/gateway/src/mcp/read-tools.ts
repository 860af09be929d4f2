import { listActivity } from '@vigie/contracts/activity';
import { listBackups, listLocalBackups } from '@vigie/contracts/backups';
import type { Contract, Output } from '@vigie/contracts/contract';
import { readTodo } from '@vigie/contracts/dashboard';
import { listDnsRecords } from '@vigie/contracts/dns-records';
import { listDnsZones } from '@vigie/contracts/dns-zones';
import { listGroups } from '@vigie/contracts/groups';
import { IncidentState, listIncidents, readIncident } from '@vigie/contracts/incidents';
import { JobState, listJobs, readJob } from '@vigie/contracts/jobs';
import { readPlugins } from '@vigie/contracts/plugins';
import { listServers, readServer } from '@vigie/contracts/servers';
import { readInventory } from '@vigie/contracts/site-inventory';
import { listSites, readSite } from '@vigie/contracts/sites';
import { id } from '@vigie/contracts/text';
import { readUptime } from '@vigie/contracts/uptime';
import { z } from 'zod';

const maxItems = 100;
const maxLogLines = 200;
const maxLogBytes = 64 * 1024;

const page = {
  limit: z.int().min(1).max(maxItems).default(25),
  offset: z.int().min(0).max(1_000_000).default(0),
};
const q = z.string().max(200).default('');

/** A tool that makes one call: its name, what the assistant reads about it, its arguments, and how they become the input. */
export type ReadTool = {
  name: string;
  title: string;
  description: string;
  contract: Contract;
  arguments: z.ZodObject;
  toInput: (fields: Record<string, unknown>) => object;
  /** Bounds an output that has no pages of its own. */
  shorten: (output: unknown, fields: Record<string, unknown>) => unknown;
};

type Shape<C extends Contract, A extends z.ZodRawShape> = {
  title: string;
  description: string;
  contract: C;
  arguments: A;
  toInput?: (fields: z.output<z.ZodObject<A>>) => object;
  shorten?: (output: Output<C>, fields: z.output<z.ZodObject<A>>) => unknown;
};

function readTool<C extends Contract, A extends z.ZodRawShape>(name: string, shape: Shape<C, A>): ReadTool {
  return {
    toInput: (fields: object) => fields,
    shorten: (output: unknown) => output,
    name,
    ...shape,
    arguments: z.strictObject(shape.arguments),
  } as unknown as ReadTool;
}

/** A page of a list that its call answers whole. */
const pageOf = <T>(items: readonly T[], { limit, offset }: { limit: number; offset: number }) => ({
  items: items.slice(offset, offset + limit),
  total: items.length,
});

/** The last lines that fit. They are counted as they are sent, before long ones are cut. */
function endOf<T>(lines: readonly T[]): T[] {
  let bytes = 0;
  const tooEarly = lines.findLastIndex((line) => {
    bytes += Buffer.byteLength(JSON.stringify(line));
    return bytes > maxLogBytes;
  });
  return lines.slice(tooEarly + 1);
}

const siteQuery = `French search language. Words match names and addresses; filters: statut:ok|attention|erreur|inconnu, maj:oui|non
 (updates waiting), http:5xx, php:<8.2, wp:6.8, sauvegarde:jamais or sauvegarde:>7j, groupe:"…", serveur:"…", plugin:"…".`;

export const readTools: readonly ReadTool[] = [
  readTool('list_sites', {
    title: 'Lister les sites',
    description: `Lists or searches the sites that the user sees, with status, HTTP code, waiting updates and last backup. q: ${siteQuery.replaceAll(/\s+/g, ' ')}`,
    contract: listSites,
    arguments: { q: z.string().max(500).default(''), group_id: id.optional(), server_id: id.optional(), ...page },
  }),
  readTool('read_site', {
    title: 'Lire un site',
    description: 'Reads one site: its state, problem, versions, server, groups and last backup.',
    contract: readSite,
    arguments: { site_id: id },
    toInput: ({ site_id }) => ({ id: site_id }),
  }),
  readTool('list_site_items', {
    title: 'Lister le contenu d’un site',
    description: 'Lists WordPress, the plugins and the themes of one site, with versions and waiting updates.',
    contract: readInventory,
    arguments: { site_id: id },
    toInput: ({ site_id }) => ({ id: site_id, fresh: '0' }),
    shorten: (output) => ({
      ...output,
      plugins: pageOf(output.plugins, { limit: maxItems, offset: 0 }),
      themes: pageOf(output.themes, { limit: maxItems, offset: 0 }),
    }),
  }),
  readTool('needs_attention', {
    title: 'Ce qui demande attention',
    description:
      'Says what needs somebody: failing sites, servers that are down, failed jobs, missing backups, updates.',
    contract: readTodo,
    arguments: {},
  }),
  readTool('list_incidents', {
    title: 'Lister les incidents',
    description:
      'Lists incidents: outages of sites and servers, certificates that end soon; the open ones first. A server that is down is one incident with its sites.',
    contract: listIncidents,
    arguments: {
      state: IncidentState.optional(),
      site_id: id.optional(),
      server_id: id.optional(),
      ...page,
    },
  }),
  readTool('read_incident', {
    title: 'Lire un incident',
    description: 'Reads one incident: what it touched, the second opinion of the server, and its time line.',
    contract: readIncident,
    arguments: { incident_id: id },
    toInput: ({ incident_id }) => ({ id: incident_id }),
  }),
  readTool('read_uptime', {
    title: 'Lire la disponibilité d’un site',
    description: 'Reads how reachable one site was, in percent, with response times by hours or days.',
    contract: readUptime,
    arguments: { site_id: id, days: z.enum(['1', '7', '30', '90']).default('7') },
    toInput: ({ site_id, days }) => ({ id: site_id, days }),
  }),
  readTool('list_servers', {
    title: 'Lister les serveurs',
    description: 'Lists the servers; those that are down come first.',
    contract: listServers,
    arguments: { q, ...page },
  }),
  readTool('read_server', {
    title: 'Lire un serveur',
    description: 'Reads one server.',
    contract: readServer,
    arguments: { server_id: id },
    toInput: ({ server_id }) => ({ id: server_id }),
  }),
  readTool('list_groups', {
    title: 'Lister les groupes',
    description: 'Lists the groups of sites by name.',
    contract: listGroups,
    arguments: page,
    toInput: () => ({}),
    shorten: pageOf,
  }),
  readTool('list_plugins', {
    title: 'Lister les plugins',
    description: 'Lists the plugins of the fleet with the number of sites and of waiting updates of each.',
    contract: readPlugins,
    arguments: { q, only_updates: z.boolean().default(false), ...page },
    toInput: ({ only_updates, ...rest }) => ({ ...rest, only_updates: only_updates ? '1' : '0' }),
  }),
  readTool('list_jobs', {
    title: 'Lister les tâches',
    description:
      'Lists the newest jobs. "open": not ended; "failures": failed and seen by nobody. before: last id of a page.',
    contract: listJobs,
    arguments: {
      site_id: id.optional(),
      batch_id: id.optional(),
      state: z.enum([...JobState.options, 'open', 'failures']).optional(),
      before: id.optional(),
      limit: page.limit,
    },
  }),
  readTool('read_job', {
    title: 'Lire une tâche',
    description: 'Reads one job, with its result or error and the end of its log.',
    contract: readJob,
    arguments: { job_id: id },
    toInput: ({ job_id }) => ({ id: job_id, tail: maxLogLines }),
    shorten: ({ log, ...job }) => ({ ...job, log: endOf(log), log_lines: log.at(-1)?.seq ?? 0 }),
  }),
  readTool('list_backups', {
    title: 'Lister les sauvegardes d’un site',
    description: 'Lists the backups of one site, on its host ("Distant", asked now) and in Vigie ("Local").',
    contract: listBackups,
    arguments: { site_id: id, ...page },
    toInput: ({ site_id }) => ({ id: site_id }),
    shorten: ({ items }, fields) => pageOf(items, fields),
  }),
  readTool('list_local_backups', {
    title: 'Lister les sauvegardes gardées par Vigie',
    description:
      'Lists the backups that Vigie keeps, those of this site first. They are there although its host is down.',
    contract: listLocalBackups,
    arguments: { site_id: id, q, ...page },
    toInput: ({ site_id, ...rest }) => ({ ...rest, id: site_id }),
  }),
  readTool('list_dns_zones', {
    title: 'Lister les zones DNS',
    description: 'Lists the DNS zones.',
    contract: listDnsZones,
    arguments: { q, ...page },
  }),
  readTool('list_dns_records', {
    title: 'Lister les enregistrements DNS',
    description: 'Lists the DNS records of one zone.',
    contract: listDnsRecords,
    arguments: { zone_id: z.string().max(100), q, type: z.string().max(20).optional(), ...page },
  }),
  readTool('list_activity', {
    title: 'Lire le journal',
    description: 'Lists who did what, the newest first.',
    contract: listActivity,
    arguments: { site_id: id.optional(), limit: z.int().min(1).max(50).default(25) },
  }),
];
