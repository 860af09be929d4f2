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
import { recordDeletion } from './deletions';
import { dropForeignLink } from './mapping/link.entity';
import { abandonWrites, pendingWritesOf } from './pending-writes/abandoned-writes';

@Injectable()
export class OutboxConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly readers: OutboxReader[];

  constructor(database: DataSource, bus: Bus) {
    const log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
    const sources = [
      { read: readAuthOutbox, written: authOutboxWritten },
      { read: readSitesOutbox, written: sitesOutboxWritten },
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

async function applyEvent(manager: EntityManager, _id: string, event: OutboxEvent): Promise<void> {
  if (event.kind === 'user_deleted') {
    await recordDeletion(manager, event.user_id);
    const config = await manager.findOneBy(DnsConfig, { ownerId: event.user_id });
    const audit = (entry: AuditEntry) => writeAudit(manager, entry);
    if (config) await abandonWrites({ audit }, manager, await pendingWritesOf(manager, config.id));
    // The configuration’s zones, links and history are deleted by cascade.
    await manager.query('delete from configs where owner_id = $1', [event.user_id]);
  }
  if (event.kind === 'site_deleted') {
    await recordDeletion(manager, event.site_id);
    await manager.query('delete from links where site_id = $1', [event.site_id]);
  }
  // The zones stay with the former owner.
  if (event.kind === 'site_owner_changed') await dropForeignLink(manager, event.site_id, event.owner_id);
}
