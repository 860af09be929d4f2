import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountLogins1795940000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table servers add column logins int not null default 0');
    await runner.query('alter table sites add column logins int not null default 0');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
