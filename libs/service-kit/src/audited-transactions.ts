import { Injectable } from '@nestjs/common';
import type { OutboxEvent } from '@vigie/contracts/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { type AuditEntry, writeAudit } from './audit';
import { Bus } from './bus';
import { writeOutboxEvent } from './outbox';
import { type Event } from '@vigie/contracts/contract';

/** One transaction with its change, its audit lines and its outbox events. */
export type AuditedTransaction = {
  manager: EntityManager;
  audit: (entry: AuditEntry) => Promise<void>;
  publish: (event: OutboxEvent) => Promise<void>;
};

/** Writes changes together with their audit lines and outbox events, so that neither exists without the other. */
@Injectable()
export class AuditedTransactions {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly writtenEvent: Event,
  ) {}

  async write<T>(work: (transaction: AuditedTransaction) => Promise<T>): Promise<T> {
    let hasEvents = false;
    const result = await this.database.transaction((manager) =>
      work({
        manager,
        audit: (entry) => writeAudit(manager, entry),
        publish: async (event) => {
          hasEvents = true;
          await writeOutboxEvent(manager, event);
        },
      }),
    );
    if (hasEvents) this.bus.publish(this.writtenEvent, {});
    return result;
  }
}
