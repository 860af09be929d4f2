import type { AlertMessage } from '@vigie/contracts/alerts';
import { AppError } from '@vigie/contracts/errors';
import type { Incident } from '@vigie/contracts/incidents';
import type { EntityManager } from 'typeorm';
import { sitesOfChannel } from '../groups/channel-groups';
import { findIncident } from '../incidents/find-incident';
import { incidentMessage } from './alert-message';
import { asChannelOwner } from './as-channel-owner';
import { addDelivery } from './deliveries';
import { onlySites } from './only-sites';
import { isQuiet } from './times-of-day';
import { type ChannelState, type IncidentState, wantedAlert } from './wanted-alert';

/** Hours, delays and reminders of an incident are looked at this often. */
const againSeconds = 60;
/** The end of an incident waits for the end of quiet hours, which are less than a day, or of its coming and going. */
const keptHours = 25;
/** A message that was given up counts as said for so long; then the channel is tried anew. */
const givenUpMinutes = 60;

type IncidentRow = IncidentState & { id: string; cause_kind: string };
export type InterestedChannel = ChannelState & {
  id: string;
  owner_id: string | null;
  all_groups: boolean;
  time_zone: string;
  last_id: string | null;
};

/** `due` is the exact time as text: the incident may change, and be due anew, while it is planned. */
export type DueIncident = { id: string; due: string };

/** The incident that waits longest, if any. */
export async function findDueIncident(manager: EntityManager): Promise<DueIncident | undefined> {
  const [incident]: DueIncident[] = await manager.query(
    'select id, alerts_due_at::text as due from incidents where alerts_due_at <= now() order by alerts_due_at, id limit 1',
  );
  return incident;
}

/** Adds what the channel wants to say. The incident is locked meanwhile, so that each channel says it once. */
export async function planForChannel(manager: EntityManager, incidentId: string, channelId: string): Promise<void> {
  const incident = await lockIncident(manager, incidentId);
  const [channel] = incident ? await findInterestedChannels(manager, incidentId, channelId) : [];
  if (incident && channel) await planMessage(manager, incident, channel);
}

/** Says when the incident is looked at again: until channels that told of it know of its end. */
export const planNext = (manager: EntityManager, { id, due }: DueIncident, mayEnd: boolean): Promise<unknown> =>
  manager.query(
    `update incidents set alerts_due_at = case
       when resolved_at is null or $2 and resolution in ('recovered', 'closed') and resolved_at > now() - interval '${keptHours} hours'
       then now() + interval '${againSeconds} seconds' end
     where id = $1 and alerts_due_at = $3::timestamptz`,
    [id, mayEnd, due],
  );

async function lockIncident(manager: EntityManager, id: string): Promise<IncidentRow | undefined> {
  const [incident]: IncidentRow[] = await manager.query(
    `select i.id, i.kind, i.cause_kind, i.severity, i.opened_at, i.reopened_at, i.resolved_at, i.resolution, i.acknowledged_at,
       i.muted_until, i.is_flapping, n.ends_at, greatest(i.opened_at, i.reopened_at, n.since) as since
     from incidents i cross join lateral (
       select max(m.since) as since, min((m.evidence ->> 'ends_at')::timestamptz) filter (where m.until is null) as ends_at
       from incident_subjects m where m.incident_id = i.id) n
     where i.id = $1 for no key update of i`,
    [id],
  );
  return incident;
}

/** The channels that might say something of it. What their owners may know is found out before anything is said. */
export const findInterestedChannels = (
  manager: EntityManager,
  incidentId: string,
  channelId: string | null = null,
): Promise<InterestedChannel[]> =>
  manager.query(
    `select c.id, c.owner_id, c.all_groups, c.time_zone, c.min_severity, c.delay_minutes, c.enabled_at,
       ${isQuiet('c')} as is_quiet, last.id as last_id, last.kind as last_kind, last.created_at as last_at,
       part.is_open as has_open_part
     from channels c left join lateral (
       select d.id, d.kind, d.created_at from deliveries d
       where d.channel_id = c.id and d.incident_id = $1 and d.state <> 'cancelled' and d.resent_from is null
         and (d.state <> 'failed' or d.kind = 'resolved' or d.ended_at > now() - interval '${givenUpMinutes} minutes')
       order by d.created_at desc, d.id desc limit 1) last on true
     cross join lateral (
       select coalesce(bool_or(kind <> 'resolved'), false) as is_open from (
         select distinct on (p.id) d.kind from incidents p join deliveries d on d.incident_id = p.id
         where p.merged_into = $1 and d.channel_id = c.id and d.state in ('queued', 'sent') and d.resent_from is null
           and (last.created_at is null or d.created_at > last.created_at)
         order by p.id, d.created_at desc, d.id desc) said) part
     where c.is_enabled and c.min_severity is not null and ($2::uuid is null or c.id = $2)
       and (last.id is not null or part.is_open or ((c.all_groups or exists (${sitesOfChannel('c.id', '$1')})) and (c.owner_id is null or exists (
         select from incident_subjects m left join sites s on s.id = m.subject_id left join servers v on v.id = m.subject_id
         where m.incident_id = $1 and (c.owner_id in (s.owner_id, v.owner_id)
           or s.id in (select g from granted_sites(c.owner_id, 'viewer') g))))))
     order by c.id`,
    [incidentId, channelId],
  );

async function planMessage(manager: EntityManager, incident: IncidentRow, channel: InterestedChannel): Promise<void> {
  const now = new Date();
  const isPartial = seesPart(incident, channel);
  const seen = isPartial ? await viewOf(manager, incident.id, channel) : undefined;
  if (isPartial && !seen) return;
  const isOverHere = seen !== undefined && seen.subjects.every(({ until }) => until !== null);
  const kind = wantedAlert(isOverHere ? endedHere(incident, seen) : incident, channel, now);
  if (!kind || (kind === 'resolved' && (await cancelUntried(manager, channel)))) return;
  const found = seen ?? (await viewOf(manager, incident.id, channel));
  if (!found) return;
  const message: AlertMessage = incidentMessage(found, { kind, timeZone: channel.time_zone, now });
  await addDelivery(manager, { channelId: channel.id, message, incidentId: incident.id });
}

/** Of an open outage of a server, a channel that knows of only some sites says how these are. */
const seesPart = (incident: IncidentRow, channel: InterestedChannel): boolean =>
  incident.kind === 'outage' &&
  incident.cause_kind === 'server' &&
  incident.resolved_at === null &&
  (channel.owner_id !== null || !channel.all_groups);

/** For this channel it ended with the last of its sites. */
function endedHere(incident: IncidentRow, { subjects }: Incident): IncidentRow {
  const ends = subjects.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
  return { ...incident, resolved_at: new Date(Math.max(...ends, 0)), resolution: 'recovered' };
}

/** The incident as the owner of the channel may know it, with the sites of its groups only; undefined if none of it. */
async function viewOf(manager: EntityManager, id: string, channel: InterestedChannel): Promise<Incident | undefined> {
  const found = await asChannelOwner(channel.owner_id, () => findIncident(manager, id)).catch(ignoreUnreached);
  if (!found || channel.all_groups) return found;
  const sites: { id: string }[] = await manager.query(sitesOfChannel('$2', '$1'), [id, channel.id]);
  return onlySites(found, new Set(sites.map((site) => site.id)));
}

const uselessSentence = 'L’incident a pris fin avant l’envoi.';

/** Nobody needs to hear that what they have not heard of is over. False if the message left, or is leaving just now. */
async function cancelUntried(manager: EntityManager, { last_id: id }: InterestedChannel): Promise<boolean> {
  const [cancelled]: [unknown[], number] = await manager.query(
    `update deliveries set state = 'cancelled', ended_at = now(), error = $2
     where id = $1 and state = 'queued' and attempts = 0 and (claims = 0 or error is not null) returning id`,
    [id, uselessSentence],
  );
  return cancelled.length > 0;
}

/** The owner of the channel reaches nothing that the incident touches. */
export function ignoreUnreached(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}
