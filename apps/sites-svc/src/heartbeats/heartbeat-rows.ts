import type { AlertAnswer } from '@vigie/contracts/alerts';
import type { ChannelHeartbeat, VigiePart } from '@vigie/contracts/channels';
import type { SealedText } from '@vigie/contracts/text';
import type { DataSource, EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { missingSince } from './missing-parts';

/** A call that is due. Another address than that of `version` has nothing to do with how it ends. */
export type DueCall = { channel_id: string; version: number; target: SealedText; missing: ChannelHeartbeat['missing'] };
export type CallAnswer = Pick<AlertAnswer, 'status' | 'answer' | 'error'>;

/** While a part is missing, it is looked for more often than calls are made. */
const againSeconds = 15;
const maxTestsPerMinute = 10;

/** A channel that is new, has another address or was paused is called at once. */
export const startHeartbeat = (manager: EntityManager, channelId: string): Promise<unknown> =>
  manager.query(
    `insert into channel_heartbeats (channel_id) values ($1) on conflict (channel_id) do update
     set due_at = now(), called_at = null, accepted_at = null, status = null, error = null, missing = '[]'`,
    [channelId],
  );

/**
 * Takes the calls of this minute, once over all replicas. They keep their second of the minute, unless they were late: two calls
 * are never less than 50 seconds apart.
 */
export async function claimCalls(database: DataSource): Promise<DueCall[]> {
  const [due]: [DueCall[], number] = await database.query(
    `with due as (
       select h.channel_id from channel_heartbeats h join channels c on c.id = h.channel_id
       where c.is_enabled and h.due_at <= now() for update of h skip locked)
     update channel_heartbeats h set due_at = interval '1 minute'
       + case when h.due_at > now() - interval '10 seconds' then h.due_at else now() end
     from due join channels c on c.id = due.channel_id where h.channel_id = due.channel_id
     returning h.channel_id, c.version, c.target, h.missing`,
  );
  return due;
}

/** Whether the call may still leave: the channel was neither paused nor given another address since it was claimed. */
export async function isStillWanted(database: DataSource, { channel_id: id, version }: DueCall): Promise<boolean> {
  const rows: unknown[] = await database.query(
    'select from channels where id = $1 and version = $2::int and is_enabled',
    [id, version],
  );
  return rows.length > 0;
}

/** Nothing was called, because these parts do not live. */
export async function saveMissing(database: DataSource, call: DueCall, parts: readonly VigiePart[]): Promise<void> {
  const missing = missingSince(parts, call.missing, new Date().toISOString());
  await database.query(
    `update channel_heartbeats set missing = $2, due_at = least(due_at, now() + interval '${againSeconds} seconds')
     where channel_id = $1 and exists (select from channels c where c.id = $1 and c.version = $3::int)`,
    [call.channel_id, toJsonb(missing), call.version],
  );
}

/** How a call ended. A test says nothing of the parts, since it is made without asking them. */
export async function saveAnswer(
  database: DataSource,
  { channel_id: id, version }: Pick<DueCall, 'channel_id' | 'version'>,
  { status, error }: CallAnswer,
  isTest = false,
): Promise<void> {
  await database.query(
    `update channel_heartbeats h set called_at = now(), status = $3::int, error = $4::text,
       accepted_at = case when $4::text is null then now() else accepted_at end,
       missing = case when $5::boolean then missing else '[]' end
     from channels c where c.id = h.channel_id and c.id = $1 and c.version = $2::int`,
    [id, version, status, error, isTest],
  );
}

/** Counts a test; false if there are too many in this minute. */
export async function countTest(manager: EntityManager, channelId: string): Promise<boolean> {
  const isNew = "tests_since < now() - interval '1 minute'";
  const [rows]: [unknown[], number] = await manager.query(
    `update channel_heartbeats set tests = case when ${isNew} then 1 else tests + 1 end,
       tests_since = case when ${isNew} then now() else tests_since end
     where channel_id = $1 and (${isNew} or tests < ${maxTestsPerMinute}) returning channel_id`,
    [channelId],
  );
  return rows.length > 0;
}
