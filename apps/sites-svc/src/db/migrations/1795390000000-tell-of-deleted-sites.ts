import { createOutbox } from '@vigie/service-kit/outbox';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TellOfDeletedSites1795390000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createOutbox(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
