import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { authOutboxWritten, type Fact, readAuthOutbox } from '@vigie/contracts/outbox';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { OutboxReader } from '@vigie/service-kit/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { keepActivity } from './activity/doings';
import { env } from './env';
import { noteRole, passOn } from './owners/owners';

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
  if (fact.kind === 'activity') await keepActivity(manager, id, fact);
  if (fact.kind === 'user_role_changed') await noteRole(manager, fact);
  if (fact.kind === 'user_deleted') await passOn(manager, fact);
}
