import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OpenConsolesInFolders1795883000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table consoles add column folder text');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
