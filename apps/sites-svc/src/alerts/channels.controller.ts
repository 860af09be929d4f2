import { Controller } from '@nestjs/common';
import {
  type Channel,
  type ChannelKind,
  type ChannelRules,
  createChannel,
  deleteChannel,
  type Delivery,
  editChannel,
  importChannel,
  listChannels,
  type ReceivedChannel,
  type ReceivedChannelChanges,
  testChannel,
} from '@vigie/contracts/channels';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordInAudit } from '../activity/audit-events';
import { countTest, startHeartbeat } from '../heartbeats/heartbeat-rows';
import { Heartbeats } from '../heartbeats/heartbeats';
import { callerIsAdministrator } from '../owners/owner-filter';
import { lockOwner } from '../owners/owners';
import { testMessage } from './alert-message';
import { addDelivery, cancelQueued, findDelivery, refuseTooMany, tooManyTests } from './deliveries';
import { type ChannelRow, findChannel, findChannels, lockChannel, toChannel } from './find-channels';
import { saveRules } from './save-channel';
import { Sender } from './sender';

const maxChannels = 50;
/** The other side has 10 s; a mail may take longer, and is then still on its way. */
const testMs = 20_000;

/** Where people want to be told of incidents. */
@Controller()
export class ChannelsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly sender: Sender,
    private readonly heartbeats: Heartbeats,
  ) {}

  @Handles(listChannels)
  async list(): Promise<Output<typeof listChannels>> {
    const items = (await findChannels(this.database.manager)).map(toChannel);
    return { items, total: items.length };
  }

  @Handles(createChannel)
  async create(input: ReceivedChannel): Promise<Output<typeof createChannel>> {
    const { kind, secrets, ...rules } = input;
    if (kind === 'heartbeat') refuseOthers();
    const id = uuid();
    const made = await this.importTarget({ channel_id: id, kind, secrets, chat_id: rules.chat_id });
    return this.database.transaction(async (manager) => {
      const caller = await lockOwner(manager);
      const ownerId = callerIsAdministrator() ? null : caller;
      // Sealing a secret twice gives two texts, so the key covers its digest.
      const existing = await this.idempotencyKeys.claim(
        manager,
        createChannel,
        { ...rules, kind, secrets: made?.digest ?? null },
        id,
      );
      if (existing !== undefined) return { ...toChannel(await findChannel(manager, existing)), secret: null };
      await refuseMore(manager, ownerId);
      await insertChannel(manager, { id, kind, ownerId, made }, rules);
      await recordInAudit(manager, [
        {
          action: 'channel_create',
          target: rules.name,
          targetId: id,
          details: { kind, ...(made?.host && { host: made.host }) },
        },
      ]);
      return { ...toChannel(await findChannel(manager, id)), secret: made?.made_secret ?? null };
    });
  }

  @Handles(editChannel)
  async edit({ id, secrets, ...changes }: ReceivedChannelChanges): Promise<Channel> {
    const before = await findChannel(this.database.manager, id);
    const { chat_id: chatId = before.chat_id } = changes;
    const isMoved = secrets !== undefined || chatId !== before.chat_id;
    const made =
      isMoved &&
      (await this.importTarget({
        id,
        channel_id: id,
        kind: before.kind,
        secrets,
        chat_id: chatId,
        current: before.target,
      }));
    return this.database.transaction(async (manager) => {
      const channel = await lockChannel(manager, id);
      if (channel.version !== before.version) throw changedElsewhere();
      if (made)
        await manager.query(
          `update channels set target = $2, host = $3, has_secret = $4, version = version + 1, held_until = '-infinity' where id = $1`,
          [id, made.target, made.host, made.has_secret],
        );
      const rules = mergeRules(channel, changes);
      await saveRules(manager, { id, kind: channel.kind, ownerId: channel.owner_id }, rules, channel);
      if (channel.is_enabled && !rules.is_enabled) await cancelQueued(manager, id);
      if (made || (rules.is_enabled && !channel.is_enabled)) await restartCalls(manager, channel);
      const details = { fields: [...Object.keys(changes), ...(secrets ? ['secrets'] : [])] };
      await recordInAudit(manager, [{ action: 'channel_edit', target: channel.name, targetId: id, details }]);
      return toChannel(await findChannel(manager, id));
    });
  }

  @Handles(deleteChannel)
  async delete({ id }: Input<typeof deleteChannel>) {
    await this.database.transaction(async (manager) => {
      const { name, kind } = await lockChannel(manager, id);
      await manager.query('delete from channels where id = $1', [id]);
      await recordInAudit(manager, [{ action: 'channel_delete', target: name, targetId: id, details: { kind } }]);
    });
    return {};
  }

  @Handles(testChannel)
  async test({ id }: Input<typeof testChannel>): Promise<Delivery> {
    const { kind } = await findChannel(this.database.manager, id);
    return kind === 'heartbeat' ? this.testHeartbeat(id) : this.sendTest(id);
  }

  private async sendTest(id: string): Promise<Delivery> {
    const deliveryId = await this.database.transaction(async (manager) => {
      const channel = await lockChannel(manager, id);
      await refuseTooMany(manager, id);
      await refuseWhileHeld(manager, id);
      await recordTest(manager, channel);
      return addDelivery(manager, { channelId: id, message: testMessage(new Date()) });
    });
    await this.sender.sendNow(deliveryId, testMs);
    return findDelivery(this.database.manager, deliveryId);
  }

  /** Calls are not kept as messages are: the answer alone says how this one ended. */
  private async testHeartbeat(id: string): Promise<Delivery> {
    const channel = await this.database.transaction(async (manager) => {
      const locked = await lockChannel(manager, id);
      if (!(await countTest(manager, id))) throw tooManyTests();
      await recordTest(manager, locked);
      return locked;
    });
    return this.heartbeats.test(channel);
  }

  /** Mail has no target: auth-svc knows who is written to. */
  private async importTarget(
    fields: Parameters<typeof this.bus.forward<typeof importChannel>>[1],
  ): Promise<Output<typeof importChannel> | undefined> {
    if (fields.kind === 'mail' && !fields.secrets) return undefined;
    return this.bus.forward(importChannel, fields);
  }
}

/** What a form leaves out stays. A channel whose groups were all deleted keeps to none until somebody chooses. */
function mergeRules(channel: ChannelRow, changes: Omit<ReceivedChannelChanges, 'id' | 'secrets'>) {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...channel, ...given };
}

const recordTest = (manager: EntityManager, { id, name, kind }: ChannelRow): Promise<void> =>
  recordInAudit(manager, [{ action: 'channel_test', target: name, targetId: id, details: { kind } }]);

/** A client could call any address in the name of Vigie, each minute and for ever. */
function refuseOthers(): void {
  if (!callerIsAdministrator()) throw new AppError('forbidden', 'Seul un administrateur peut ajouter un signe de vie.');
}

type NewChannel = {
  id: string;
  kind: ChannelKind;
  ownerId: string | null;
  made: Output<typeof importChannel> | undefined;
};

async function insertChannel(
  manager: EntityManager,
  { id, kind, ownerId, made }: NewChannel,
  rules: ChannelRules,
): Promise<void> {
  const { target = null, host = null, has_secret: hasSecret = false } = made ?? {};
  await manager.query(
    `insert into channels (id, owner_id, kind, name, target, host, has_secret, time_zone) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, ownerId, kind, rules.name, target, host, hasSecret, rules.time_zone],
  );
  await saveRules(manager, { id, kind, ownerId }, rules);
  await restartCalls(manager, { id, kind });
}

/** Another address, or the end of a pause, has nothing to do with how earlier calls went. */
async function restartCalls(manager: EntityManager, { id, kind }: Pick<ChannelRow, 'id' | 'kind'>): Promise<void> {
  if (kind === 'heartbeat') await startHeartbeat(manager, id);
}

async function refuseMore(manager: EntityManager, ownerId: string | null): Promise<void> {
  const [row]: { count: number }[] = await manager.query(
    'select count(*)::int as count from channels where owner_id is not distinct from $1',
    [ownerId],
  );
  if ((row?.count ?? 0) >= maxChannels)
    throw new AppError('conflict', `Il y a déjà ${maxChannels} canaux\u00a0: supprimez-en un d’abord.`);
}

/** The other side wants nothing more for a while, and a test would wait for as long. */
async function refuseWhileHeld(manager: EntityManager, id: string): Promise<void> {
  const [held]: { seconds: number }[] = await manager.query(
    `select ceil(extract(epoch from held_until - now()))::int as seconds from channels
     where id = $1 and held_until > now() + interval '1 minute'`,
    [id],
  );
  if (!held) return;
  const minutes = Math.ceil(held.seconds / 60);
  throw new AppError('too_many', `Ce service demande d’attendre encore ${minutes}\u00a0minutes.`, {
    retryAfter: held.seconds,
  });
}

const changedElsewhere = () =>
  new AppError('conflict', 'Ce canal vient d’être modifié ailleurs. Rechargez la page, puis recommencez.');
