import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberBetweenAttempts1795370000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs
        add column about text,
        add column memo jsonb,
        add column is_resting boolean not null default false`);
    // A begun exclusive job blocks the others of its site, however long it waits.
    await runner.query(
      "create index jobs_begun on jobs (site_id) where is_exclusive and state = 'running' and not is_batch",
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
