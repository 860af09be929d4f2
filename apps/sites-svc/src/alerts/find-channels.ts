import type { Channel, ChannelHeartbeat, ChannelKind, ChannelRules, DeliveryState } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { SealedText } from '@vigie/contracts/text';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { reachingCaller } from '../owners/reach';
import { reachesChannel } from '../owners/reach-channels';

export type ChannelRow = Omit<ChannelRules, 'group_ids'> & {
  id: string;
  owner_id: string | null;
  kind: ChannelKind;
  target: SealedText | null;
  host: string | null;
  has_secret: boolean;
  version: number;
  group_ids: string[] | null;
  last_delivery: { id: string; state: DeliveryState; at: string; error: string | null } | null;
  heartbeat: ChannelHeartbeat | null;
  created_at: Date;
};

const columns = `c.id, c.owner_id, c.kind, c.target, c.host, c.has_secret, c.version, c.name, c.is_enabled, c.min_severity,
  c.time_zone, c.delay_minutes, c.emails, c.chat_id, c.created_at,
  to_char(c.quiet_from, 'HH24:MI') as quiet_from, to_char(c.quiet_to, 'HH24:MI') as quiet_to,
  to_char(c.digest_at, 'HH24:MI') as digest_at,
  case when not c.all_groups then array(select g.group_id from channel_groups g where g.channel_id = c.id order by g.group_id) end as group_ids,
  (select json_build_object('id', d.id, 'state', d.state, 'at', coalesce(d.ended_at, d.created_at), 'error', d.error) from deliveries d
   where d.channel_id = c.id and (d.state in ('sent', 'failed') or d.state = 'queued' and d.error is not null) order by d.created_at desc, d.id desc limit 1) as last_delivery,
  (select json_build_object('called_at', h.called_at, 'accepted_at', h.accepted_at, 'status', h.status, 'error', h.error, 'missing', h.missing)
   from channel_heartbeats h where h.channel_id = c.id) as heartbeat`;

/** The channels that the caller reaches, those of the installation first. */
export const findChannels = (manager: EntityManager, id: string | null = null): Promise<ChannelRow[]> =>
  manager.query(
    `select ${columns} from channels c where ($2::uuid is null or c.id = $2) and ${reachesChannel('c', '$1')}
     order by c.owner_id is not null, c.name, c.id`,
    [reachingCaller(), id],
  );

export async function findChannel(manager: EntityManager, id: string): Promise<ChannelRow> {
  const [channel] = await findChannels(manager, id);
  if (!channel) throw new AppError('not_found', 'Ce canal n’existe pas ou n’existe plus.');
  return channel;
}

/** Locks the row before it is read, so that nobody else changes it meanwhile. */
export async function lockChannel(manager: EntityManager, id: string): Promise<ChannelRow> {
  await manager.query(`select from channels c where c.id = $2 and ${reachesChannel('c', '$1')} for update`, [
    reachingCaller(),
    id,
  ]);
  return findChannel(manager, id);
}

export function toChannel(row: ChannelRow): Channel {
  const {
    target: _,
    version: __,
    owner_id: ownerId,
    created_at: createdAt,
    last_delivery: last,
    heartbeat,
    ...fields
  } = row;
  return {
    ...fields,
    ...(currentUser().adminMode && { owner_id: ownerId }),
    is_shared: ownerId === null,
    last_delivery: last && { ...last, at: new Date(last.at).toISOString() },
    ...(heartbeat && { heartbeat: withTimes(heartbeat) }),
    created_at: createdAt.toISOString(),
  };
}

/** JSON of PostgreSQL writes times in another form. */
const withTimes = ({ called_at: called, accepted_at: accepted, ...fields }: ChannelHeartbeat): ChannelHeartbeat => ({
  ...fields,
  called_at: called && new Date(called).toISOString(),
  accepted_at: accepted && new Date(accepted).toISOString(),
});
