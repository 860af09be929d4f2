import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isUnderWay, workKey } from '../../queue/open-work';

export class NameWork1795870000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index jobs_work on jobs ((${workKey('')})) where ${isUnderWay('')}`);
    // Checks change nothing: a batch of them may repeat what another one does. Earlier releases let a retry repeat open work.
    const [{ now }]: [{ now: string }] = await runner.query('select now()::text');
    await runner.query(
      `create unique index jobs_unique_work on jobs ((${workKey('')}))
       where ${isUnderWay('')} and queue <> 'site-looks' and created_at > '${now}'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
