import type { EntityManager } from 'typeorm';
import { isOfChannel } from '../groups/channel-groups';
import { findIncidents, toIncidentItem } from '../incidents/find-incidents';
import { reachesSite, reachingCaller } from '../owners/reach';
import { type Day, digestMessage } from './alert-message';
import { asChannelOwner } from './as-channel-owner';
import { addDelivery } from './deliveries';
import { nextTimeOfDay } from './times-of-day';

const maxShown = 50;
const retryMinutes = 5;

type DueChannel = { id: string; owner_id: string | null; time_zone: string; all_groups: boolean };

/** The channel whose summary of the day waits longest, if any. */
export async function findDueDigest(manager: EntityManager): Promise<string | undefined> {
  const [due]: { id: string }[] = await manager.query(
    'select id from channels where is_enabled and digest_due_at <= now() order by digest_due_at, id limit 1',
  );
  return due?.id;
}

/** One that could not be made keeps no other waiting. */
export const planNextDigest = (manager: EntityManager, id: string): Promise<unknown> =>
  manager.query(
    `update channels set digest_due_at = now() + interval '${retryMinutes} minutes' where id = $1 and digest_due_at <= now()`,
    [id],
  );

/** Adds the summary, and says when the next one is due, unless another process did. */
export async function planDigest(manager: EntityManager, id: string): Promise<void> {
  const [channel]: DueChannel[] = await manager.query(
    `select id, owner_id, time_zone, all_groups from channels where id = $1 and is_enabled and digest_due_at <= now()
     for no key update`,
    [id],
  );
  if (!channel) return;
  const { owner_id: ownerId, time_zone: timeZone } = channel;
  const day = await asChannelOwner(ownerId, () => readDay(manager, channel));
  await addDelivery(manager, { channelId: id, message: digestMessage(day, { timeZone, now: new Date() }) });
  await manager.query(`update channels set digest_due_at = ${nextTimeOfDay('digest_at', 'time_zone')} where id = $1`, [
    id,
  ]);
}

/** What the owner of the channel may know, of the sites of its groups. */
async function readDay(manager: EntityManager, { id, all_groups: all }: DueChannel): Promise<Day> {
  const page = { limit: maxShown, offset: 0, ...(!all && { channelId: id }) };
  const open = await findIncidents(manager, { state: 'open', ...page });
  const ended = await findIncidents(manager, { state: 'resolved', endedHours: 24, ...page });
  const [row]: { count: number }[] = await manager.query(
    `select count(*)::int as count from sites s where ${reachesSite('s', '$1')} and ($3 or ${isOfChannel('s', '$2')})`,
    [reachingCaller(), id, all],
  );
  return {
    open: open.rows.map(toIncidentItem),
    openTotal: open.total,
    ended: ended.rows.map(toIncidentItem),
    endedTotal: ended.total,
    sites: row?.count ?? 0,
  };
}
