import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  authOutboxWritten,
  type OutboxEvent,
  readAuthOutbox,
  readSitesOutbox,
  sitesOutboxWritten,
} from '@vigie/contracts/outbox';
import { type AuditEntry, writeAudit } from '@vigie/service-kit/audit';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { OutboxReader } from '@vigie/service-kit/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { DnsConfig } from './config/config.entity';
import { env } from './env';
import { noteGone } from './gone';
import { endUnverified, openOf } from './intents/unverified';

/** Applies the outbox events of auth-svc and sites-svc. */
@Injectable()
export class Facts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly readers: OutboxReader[];

  constructor(database: DataSource, bus: Bus) {
    const log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
    const sources = [
      { read: readAuthOutbox, written: authOutboxWritten },
      { read: readSitesOutbox, written: sitesOutboxWritten },
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

async function applyFact(manager: EntityManager, _id: string, fact: OutboxEvent): Promise<void> {
  if (fact.kind === 'user_deleted') {
    await noteGone(manager, fact.user_id);
    const config = await manager.findOneBy(DnsConfig, { ownerId: fact.user_id });
    const audit = (entry: AuditEntry) => writeAudit(manager, entry);
    if (config) await endUnverified({ audit }, manager, await openOf(manager, config.id));
    // The configuration’s zones, links and history are deleted by cascade.
    await manager.query('delete from configs where owner_id = $1', [fact.user_id]);
  }
  if (fact.kind === 'site_deleted') {
    await noteGone(manager, fact.site_id);
    await manager.query('delete from links where site_id = $1', [fact.site_id]);
  }
}
