import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindLicences1795400500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index if not exists site_licences_slug on site_licences (kind, slug)');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
