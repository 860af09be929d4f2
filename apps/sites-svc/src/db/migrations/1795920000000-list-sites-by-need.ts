import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isOpen } from '../../queue/job.entity';

/** The list of sites begins with those in error, and shows the work that goes on at each. */
export class ListSitesByNeed1795920000000 implements MigrationInterface {
  /** Running services lock these tables in any order, so each statement may lock only one of them. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index if not exists sites_attention on sites (owner_id, ((status = 'error') is not true), name, id)`,
    );
    // Jobs without a site are left out, so that the planner never takes it for the index of a lane.
    await runner.query(
      `create index if not exists jobs_of_sites on jobs (site_id) where site_id is not null and ${isOpen('jobs')}`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
