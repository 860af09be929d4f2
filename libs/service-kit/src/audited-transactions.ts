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
  publish: (fact: OutboxEvent) => Promise<void>;
};

/** Writes changes together with their audit lines and outbox events, so that neither exists without the other. */
@Injectable()
export class AuditedTransactions {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly written: Event,
  ) {}

  async write<T>(work: (chapter: AuditedTransaction) => Promise<T>): Promise<T> {
    let hasFacts = false;
    const result = await this.database.transaction((manager) =>
      work({
        manager,
        audit: (entry) => writeAudit(manager, entry),
        publish: async (fact) => {
          hasFacts = true;
          await writeOutboxEvent(manager, fact);
        },
      }),
    );
    if (hasFacts) this.bus.publish(this.written, {});
    return result;
  }
}
