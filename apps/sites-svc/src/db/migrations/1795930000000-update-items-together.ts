import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isOpen } from '../../queue/job.entity';

export class UpdateItemsTogether1795930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column lead_id uuid, add column is_alone boolean not null default false');
    await runner.query('create index jobs_companions on jobs (lead_id) where lead_id is not null');
    // The companions of a job run with it on their site.
    await runner.query('drop index jobs_exclusive');
    await runner.query(
      `create unique index jobs_exclusive on jobs (site_id)
       where is_exclusive and ${isOpen('jobs')} and dispatched_at is not null and lead_id is null`,
    );
    // Tells whether a batch has open jobs, however many it has.
    await runner.query(`create index jobs_open_of_batches on jobs (batch_id) where ${isOpen('jobs')}`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
