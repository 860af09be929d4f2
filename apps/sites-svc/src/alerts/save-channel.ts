import { type ChannelKind, channelRefusal, type ChannelRules } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { refuseUnknownZone } from '../known-zone';
import { callerIsAdministrator } from '../owners/owner-filter';
import { nextTimeOfDay } from './times-of-day';

/** Writes who is told of what, and when, after the row is there. */
export async function saveRules(
  manager: EntityManager,
  { id, kind, ownerId }: { id: string; kind: ChannelKind; ownerId: string | null },
  rules: ChannelRules,
  before?: ChannelRules,
): Promise<void> {
  const refusal = channelRefusal(kind, rules);
  if (refusal) throw new AppError('invalid', refusal.sentence);
  refuseForeignMails(rules, ownerId);
  await refuseUnknownZone(manager, rules.time_zone);
  // Other incidents than before: those that are open already were none of this channel's.
  const isWider = before !== undefined && scopeOf(before) !== scopeOf(rules);
  await manager.query(
    `update channels set name = $2, min_severity = $3, quiet_from = $4, quiet_to = $5, time_zone = $6, delay_minutes = $7,
       emails = $8, chat_id = $9, digest_at = $10, all_groups = $11,
       enabled_at = case when $12 and not is_enabled or $13 then now() else enabled_at end, is_enabled = $12,
       digest_due_at = case when $10::time is null then null else ${nextTimeOfDay('$10', '$6::text')} end
     where id = $1`,
    [
      id,
      rules.name,
      rules.min_severity,
      rules.quiet_from,
      rules.quiet_to,
      rules.time_zone,
      rules.delay_minutes,
      rules.emails,
      rules.chat_id,
      rules.digest_at,
      rules.group_ids === null,
      rules.is_enabled,
      isWider,
    ],
  );
  await saveGroups(manager, id, rules.group_ids ?? []);
}

const scopeOf = ({ min_severity: severity, group_ids: groups }: ChannelRules): string =>
  JSON.stringify([severity, groups?.toSorted() ?? null]);

/** A person without an account has not asked for mails: only administrators may name any address. */
function refuseForeignMails({ emails }: ChannelRules, ownerId: string | null): void {
  if (emails.length === 0 || (callerIsAdministrator() && ownerId === null)) return;
  throw new AppError(
    'forbidden',
    'Seul un administrateur peut choisir des adresses\u00a0: sans adresse, ce canal écrit à la vôtre.',
  );
}

/** Replaces the groups. The owner of a channel may name those that they own or that are shared with them. */
async function saveGroups(manager: EntityManager, id: string, groupIds: readonly string[]): Promise<void> {
  const mine = callerIsAdministrator()
    ? 'true'
    : `(g.owner_id = $2 or g.id in (select s from granted_groups($2::uuid, 'viewer') s))`;
  const found: { id: string }[] = await manager.query(
    `select g.id from groups g where g.id = any($1::uuid[]) and $2::uuid is not null and ${mine}
       or g.id = any($1::uuid[]) and exists (select from channel_groups k where k.channel_id = $3 and k.group_id = g.id)
     order by g.id for key share of g`,
    [groupIds, currentUser().sub, id],
  );
  if (found.length < new Set(groupIds).size)
    throw new AppError('not_found', 'Un de ces groupes n’existe pas ou n’existe plus.');
  await manager.query('delete from channel_groups where channel_id = $1 and group_id <> all($2::uuid[])', [
    id,
    groupIds,
  ]);
  await manager.query(
    'insert into channel_groups (channel_id, group_id) select $1, g from unnest($2::uuid[]) g on conflict do nothing',
    [id, groupIds],
  );
}
