import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  authOutboxWritten,
  dnsOutboxWritten,
  type OutboxEvent,
  readAuthOutbox,
  readDnsOutbox,
} from '@vigie/contracts/outbox';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { OutboxReader } from '@vigie/service-kit/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { recordOutboxActivity } from './activity/audit-events';
import { env } from './env';
import { cancelCommandsOfToken } from './jobs/cancel';
import { saveRole, transferOwnership } from './owners/owners';

/** Applies the outbox events of auth-svc and dns-svc. */
@Injectable()
export class OutboxEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly readers: OutboxReader[];

  constructor(database: DataSource, bus: Bus) {
    const log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
    const sources = [
      { read: readAuthOutbox, written: authOutboxWritten },
      { read: readDnsOutbox, written: dnsOutboxWritten },
    ];
    this.readers = sources.map((source) => new OutboxReader(source, database, bus, log, applyEvent));
  }

  onApplicationBootstrap(): void {
    for (const reader of this.readers) reader.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.stop()));
  }
}

async function applyEvent(manager: EntityManager, id: string, event: OutboxEvent): Promise<void> {
  if (event.kind === 'activity') await recordOutboxActivity(manager, id, event);
  if (event.kind === 'user_role_changed') await saveRole(manager, event);
  if (event.kind === 'token_revoked') await cancelCommandsOfToken(manager, event.token_id);
  if (event.kind === 'user_deleted') await transferOwnership(manager, event);
}
