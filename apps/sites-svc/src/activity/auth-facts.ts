import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { authOutboxWritten, type Fact, readAuthOutbox } from '@vigie/contracts/outbox';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { OutboxReader } from '@vigie/service-kit/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { Activity } from './activity.entity';

const nowhere = { siteId: null, siteName: null, serverId: null, serverName: null };

/** Keeps what auth-svc tells. */
@Injectable()
export class AuthFacts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly reader: OutboxReader;

  constructor(database: DataSource, bus: Bus) {
    const source = { read: readAuthOutbox, written: authOutboxWritten };
    this.reader = new OutboxReader(source, database, bus, makeLog('sites-svc', env.VIGIE_LOG_LEVEL), applyFact);
  }

  onApplicationBootstrap(): void {
    this.reader.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reader.stop();
  }
}

async function applyFact(manager: EntityManager, id: string, fact: Fact): Promise<void> {
  if (fact.kind !== 'activity') return;
  const { type, owner_id: ownerId, actor_id: actorId, actor_name: actorName, details, at } = fact;
  const line = { id, type, ownerId, actorId, actorName, ...nowhere, details, createdAt: new Date(at) };
  await manager.createQueryBuilder().insert().into(Activity).values(line).orIgnore().execute();
}
