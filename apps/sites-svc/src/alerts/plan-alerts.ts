import type { AlertMessage } from '@vigie/contracts/alerts';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { isInGroupTree } from '../groups/memberships';
import { findIncident } from '../incidents/find-incident';
import { incidentMessage } from './alert-message';
import { asChannelOwner } from './as-channel-owner';
import { addDelivery } from './deliveries';
import { isQuiet } from './times-of-day';
import { type TellableIncident, type TellingChannel, wantedAlert } from './wanted-alert';

/** Hours, delays and reminders of an incident are looked at this often. */
const againSeconds = 60;
/** The end of an incident waits for the end of quiet hours, which are less than a day, or of its coming and going. */
const keptHours = 25;

type OnFailure = (error: unknown, about: { incident: string; channel: string }) => void;
type IncidentRow = TellableIncident & { id: string };
type ChannelRow = TellingChannel & {
  id: string;
  owner_id: string | null;
  time_zone: string;
  last_id: string | null;
  /** The last message has not left, and no attempt was made. */
  is_untried: boolean;
};

/**
 * Adds the messages that channels want about the incident that waits longest. False if none waits. The row of the incident is
 * locked meanwhile, so that each channel is told once.
 */
export async function planNextIncident(manager: EntityManager, onFailure: OnFailure): Promise<boolean> {
  const [incident]: IncidentRow[] = await manager.query(
    `select i.id, i.severity, i.opened_at, i.reopened_at, i.resolved_at, i.resolution, i.acknowledged_at, i.muted_until,
       i.is_flapping, n.ends_at, greatest(i.opened_at, i.reopened_at, n.since) as since
     from incidents i cross join lateral (
       select max(m.since) as since, min((m.evidence ->> 'ends_at')::timestamptz) filter (where m.until is null) as ends_at
       from incident_subjects m where m.incident_id = i.id) n
     where i.alerts_due_at <= now() order by i.alerts_due_at limit 1 for update of i skip locked`,
  );
  if (!incident) return false;
  const tellers = await findTellers(manager, incident.id);
  const messages = new Map<string, AlertMessage | undefined>();
  for (const channel of tellers) {
    // What fails for one channel keeps no other from being told.
    await manager
      .transaction((nested) => tell(nested, incident, channel, messages))
      .catch((error: unknown) => onFailure(error, { incident: incident.id, channel: channel.id }));
  }
  await manager.query(
    `update incidents set alerts_due_at = case
       when resolved_at is null or $2 and resolved_at > now() - interval '${keptHours} hours'
       then now() + interval '${againSeconds} seconds' end
     where id = $1`,
    [incident.id, tellers.some(({ last_kind: last }) => last !== null && last !== 'resolved')],
  );
  return true;
}

/** The channels that might tell of it. What its owner may know is found out before anything is said. */
const findTellers = (manager: EntityManager, id: string): Promise<ChannelRow[]> =>
  manager.query(
    `select c.id, c.owner_id, c.time_zone, c.min_severity, c.delay_minutes, c.enabled_at, ${isQuiet('c')} as is_quiet,
       last.id as last_id, last.kind as last_kind, last.created_at as last_at, coalesce(last.is_untried, false) as is_untried
     from channels c left join lateral (
       select d.id, d.kind, d.created_at, d.state = 'queued' and d.claims = 0 as is_untried from deliveries d
       where d.channel_id = c.id and d.incident_id = $1 and d.state <> 'cancelled' and d.resent_from is null
       order by d.created_at desc, d.id desc limit 1) last on true
     where c.is_enabled and c.min_severity is not null
       and (c.all_groups or exists (select from incident_subjects m join sites s on s.id = m.subject_id
         where m.incident_id = $1 and ${isInGroupTree('sites', 's', 'select k.group_id from channel_groups k where k.channel_id = c.id')}))
       and (c.owner_id is null or last.id is not null or exists (select from grants_to(c.owner_id)) or exists (
         select from incident_subjects m left join sites s on s.id = m.subject_id left join servers v on v.id = m.subject_id
         where m.incident_id = $1 and c.owner_id in (s.owner_id, v.owner_id)))`,
    [id],
  );

async function tell(
  manager: EntityManager,
  incident: IncidentRow,
  channel: ChannelRow,
  messages: Map<string, AlertMessage | undefined>,
): Promise<void> {
  const now = new Date();
  const kind = wantedAlert(incident, channel, now);
  if (!kind) return;
  if (kind === 'resolved' && channel.is_untried && (await cancelUntried(manager, channel))) return;
  const { id: channelId, owner_id: ownerId, time_zone: timeZone } = channel;
  const key = JSON.stringify([kind, ownerId, timeZone]);
  if (!messages.has(key)) {
    const found = await asChannelOwner(ownerId, () => findIncident(manager, incident.id)).catch(ignoreUnreached);
    messages.set(key, found && incidentMessage(found, { kind, timeZone, now }));
  }
  const message = messages.get(key);
  if (message) await addDelivery(manager, { channelId, message, incidentId: incident.id });
}

const uselessSentence = 'L’incident a pris fin avant l’envoi.';

/** Nobody needs to hear that what they have not heard of is over. False if the message is leaving just now. */
async function cancelUntried(manager: EntityManager, { last_id: id }: ChannelRow): Promise<boolean> {
  const [cancelled]: [unknown[], number] = await manager.query(
    `update deliveries set state = 'cancelled', ended_at = now(), error = $2
     where id = $1 and state = 'queued' and claims = 0 returning id`,
    [id, uselessSentence],
  );
  return cancelled.length > 0;
}

/** The owner of the channel reaches nothing that the incident touches. */
function ignoreUnreached(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}
