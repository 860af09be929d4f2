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
import { keepActivity } from './activity/doings';
import { env } from './env';
import { noteRole, passOn } from './owners/owners';

/** Keeps what auth-svc and dns-svc tell. */
@Injectable()
export class Facts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly readers: OutboxReader[];

  constructor(database: DataSource, bus: Bus) {
    const log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
    const sources = [
      { read: readAuthOutbox, written: authOutboxWritten },
      { read: readDnsOutbox, written: dnsOutboxWritten },
    ];
    this.readers = sources.map((source) => new OutboxReader(source, database, bus, log, applyFact));
  }

  onApplicationBootstrap(): void {
    for (const reader of this.readers) reader.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.stop()));
  }
}

async function applyFact(manager: EntityManager, id: string, fact: OutboxEvent): Promise<void> {
  if (fact.kind === 'activity') await keepActivity(manager, id, fact);
  if (fact.kind === 'user_role_changed') await noteRole(manager, fact);
  if (fact.kind === 'user_deleted') await passOn(manager, fact);
}
