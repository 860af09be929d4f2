import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MailEachDeliveryOnce1796110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mails add column delivery_id uuid');
    await runner.query(`
      create unique index mails_delivery_id_recipient on mails (delivery_id, recipient)
      where delivery_id is not null`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
