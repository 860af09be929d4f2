import { Injectable } from '@nestjs/common';
import type { Fact } from '@vigie/contracts/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { type AuditEntry, writeAudit } from './audit';
import { Bus } from './bus';
import { writeFact } from './outbox';
import { type Event } from '@vigie/contracts/contract';

/** What happens in one transaction: the change itself, its audit line, and what others must know of it. */
export type Chapter = {
  manager: EntityManager;
  audit: (entry: AuditEntry) => Promise<void>;
  tell: (fact: Fact) => Promise<void>;
};

/** Writes the change and its history together: neither is ever there without the other. */
@Injectable()
export class History {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly written: Event,
  ) {}

  async write<T>(work: (chapter: Chapter) => Promise<T>): Promise<T> {
    let hasFacts = false;
    const result = await this.database.transaction((manager) =>
      work({
        manager,
        audit: (entry) => writeAudit(manager, entry),
        tell: async (fact) => {
          hasFacts = true;
          await writeFact(manager, fact);
        },
      }),
    );
    if (hasFacts) this.bus.publish(this.written, {});
    return result;
  }
}
