import type { EntityManager } from 'typeorm';
import { findIncidents, toIncidentItem } from '../incidents/find-incidents';
import { reachesSite, reachingCaller } from '../owners/reach';
import { type Day, digestMessage } from './alert-message';
import { asChannelOwner } from './as-channel-owner';
import { addDelivery } from './deliveries';
import { nextTimeOfDay } from './times-of-day';

const maxRead = 100;
const dayMs = 86_400_000;

type DueChannel = { id: string; owner_id: string | null; time_zone: string };

/** Adds the summary of the day that waits longest, and says when the next one is due. False if none waits. */
export async function planNextDigest(manager: EntityManager): Promise<boolean> {
  const [channel]: DueChannel[] = await manager.query(
    `select id, owner_id, time_zone from channels where is_enabled and digest_due_at <= now()
     order by digest_due_at limit 1 for update skip locked`,
  );
  if (!channel) return false;
  const { id, owner_id: ownerId, time_zone: timeZone } = channel;
  const day = await asChannelOwner(ownerId, () => readDay(manager));
  await addDelivery(manager, { channelId: id, message: digestMessage(day, { timeZone, now: new Date() }) });
  await manager.query(`update channels set digest_due_at = ${nextTimeOfDay('digest_at', 'time_zone')} where id = $1`, [
    id,
  ]);
  return true;
}

async function readDay(manager: EntityManager): Promise<Day> {
  const page = { limit: maxRead, offset: 0 };
  const open = await findIncidents(manager, { state: 'open', ...page });
  const resolved = await findIncidents(manager, { state: 'resolved', ...page });
  const ended = resolved.rows.filter(isOfToday);
  const [row]: { count: number }[] = await manager.query(
    `select count(*)::int as count from sites s where ${reachesSite('s', '$1')}`,
    [reachingCaller()],
  );
  return {
    open: open.rows.map(toIncidentItem),
    openTotal: open.total,
    ended: ended.map(toIncidentItem),
    endedTotal: ended.length,
    sites: row?.count ?? 0,
  };
}

/** Those that were merged are told of under their server. */
const isOfToday = ({ resolved_at: at, resolution }: { resolved_at: Date | null; resolution: string | null }) =>
  at !== null && at.getTime() > Date.now() - dayMs && (resolution === 'recovered' || resolution === 'closed');
