import type { AlertMessage } from '@vigie/contracts/alerts';
import type { Delivery, DeliveryState } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { toJsonb } from '../to-jsonb';
import { reachingCaller } from '../owners/reach';
import { reachesChannel } from '../owners/reach-channels';

type NewDelivery = {
  id?: string;
  channelId: string;
  message: AlertMessage;
  incidentId?: string | null;
  /** The delivery that is sent again: its receiver knows the message by the same id. */
  again?: { id: string; messageId: string };
};

/** Stores a message that will be sent, in the transaction that makes it due. */
export async function addDelivery(
  manager: EntityManager,
  { id = uuid(), channelId, message, incidentId = null, again }: NewDelivery,
): Promise<string> {
  await manager.query(
    `insert into deliveries (id, channel_id, incident_id, kind, message_id, message, resent_from)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, channelId, incidentId, message.kind, again?.messageId ?? id, toJsonb(message), again?.id ?? null],
  );
  return id;
}

const pausedSentence = 'Le canal a été mis en pause avant l’envoi.';

/**
 * A paused channel sends nothing more. An attempt that has begun ends as it will, as do mails that auth-svc
 * has already.
 */
export const cancelQueued = (manager: EntityManager, channelId: string): Promise<unknown> =>
  manager.query(
    `update deliveries set state = 'cancelled', ended_at = now(), error = $2
     where channel_id = $1 and state = 'queued' and kind <> 'test'
       and (claims = 0 or next_at <= now() and (select target is not null from channels where id = $1))`,
    [channelId, pausedSentence],
  );

const maxPerMinute = 10;

/** Tests and repeats are requests to others in our name: so many a minute and channel. */
export async function refuseTooMany(manager: EntityManager, channelId: string): Promise<void> {
  const [row]: { count: number }[] = await manager.query(
    `select count(*)::int as count from deliveries where channel_id = $1 and created_at > now() - interval '1 minute'
       and (kind = 'test' or resent_from is not null)`,
    [channelId],
  );
  if ((row?.count ?? 0) >= maxPerMinute) throw tooManyTests();
}

export const tooManyTests = () =>
  new AppError('too_many', 'Trop d’envois à la suite\u00a0: attendez une minute.', { retryAfter: 60 });

type DeliveryRow = Omit<Delivery, 'channel' | 'created_at' | 'next_at' | 'sent_at'> & {
  message_id: string;
  message: AlertMessage;
  channel_id: string;
  channel_kind: Delivery['channel']['kind'];
  channel_name: string;
  created_at: Date;
  next_at: Date | null;
  ended_at: Date | null;
  total: number;
};

type Filters = {
  id?: string | undefined;
  channel_id?: string | undefined;
  incident_id?: string | undefined;
  state?: DeliveryState | undefined;
  limit: number;
  offset: number;
};

/** SQL: when it is tried next. Unknown while an attempt is under way, and of mails, which auth-svc sends. */
const nextAttempt = `case when d.state = 'queued' and c.target is not null and (d.claims = 0 or d.error is not null)
  then greatest(d.next_at, c.held_until) end`;

async function findRows(manager: EntityManager, filters: Filters): Promise<DeliveryRow[]> {
  const { id, channel_id: channelId, incident_id: incidentId, state, limit, offset } = filters;
  return manager.query(
    `select d.id, d.kind, d.incident_id, d.message_id, d.message, d.state, d.attempts, d.status, d.answer, d.error,
       d.created_at, ${nextAttempt} as next_at, d.ended_at, d.resent_from, d.message ->> 'title' as title,
       c.id as channel_id, c.kind as channel_kind, c.name as channel_name, count(*) over ()::int as total
     from deliveries d join channels c on c.id = d.channel_id
     where ${reachesChannel('c', '$1')} and ($2::uuid is null or d.id = $2) and ($3::uuid is null or d.channel_id = $3)
       and ($4::uuid is null or d.incident_id = $4) and ($5::text is null or d.state = $5)
     order by d.created_at desc, d.id desc limit $6 offset $7`,
    [reachingCaller(), id ?? null, channelId ?? null, incidentId ?? null, state ?? null, limit, offset],
  );
}

export async function findDeliveries(
  manager: EntityManager,
  filters: Filters,
): Promise<{ items: Delivery[]; total: number }> {
  const rows = await findRows(manager, filters);
  return { items: rows.map(toDelivery), total: rows[0]?.total ?? filters.offset };
}

export async function findDeliveryRow(manager: EntityManager, id: string): Promise<DeliveryRow> {
  const [row] = await findRows(manager, { id, limit: 1, offset: 0 });
  if (!row) throw new AppError('not_found', 'Ce message n’existe pas ou n’existe plus.');
  return row;
}

export const findDelivery = async (manager: EntityManager, id: string): Promise<Delivery> =>
  toDelivery(await findDeliveryRow(manager, id));

function toDelivery(row: DeliveryRow): Delivery {
  const { id, kind, title, incident_id: incidentId, state, attempts, status, answer, error } = row;
  return {
    id,
    channel: { id: row.channel_id, kind: row.channel_kind, name: row.channel_name },
    kind,
    title,
    incident_id: incidentId,
    state,
    attempts,
    status,
    answer,
    error,
    created_at: row.created_at.toISOString(),
    next_at: row.next_at?.toISOString() ?? null,
    sent_at: state === 'sent' ? (row.ended_at?.toISOString() ?? null) : null,
    resent_from: row.resent_from,
  };
}

const keptDays = 90;

/** What was said of an incident that lasts says what its channels know. */
export const deleteOldDeliveries = (manager: EntityManager): Promise<unknown> =>
  manager.query(
    `delete from deliveries where id in (
       select d.id from deliveries d left join incidents p on p.id = d.incident_id
         left join incidents i on i.id = coalesce(p.merged_into, p.id)
       where d.created_at < now() - interval '${keptDays} days' and d.state <> 'queued' and (i.id is null or i.resolved_at is not null)
       limit 1000)`,
  );
