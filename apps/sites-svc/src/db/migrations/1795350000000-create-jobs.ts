import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateJobs1795350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table jobs (
        id uuid primary key,
        kind text not null,
        owner_id uuid not null,
        actor_id uuid not null,
        actor_name text,
        site_id uuid,
        site_name text,
        server_id uuid,
        server_name text,
        batch_id uuid references jobs (id) on delete cascade,
        is_batch boolean not null default false,
        retry_of uuid,
        queue text not null,
        lane text not null,
        is_exclusive boolean not null,
        is_heavy boolean not null,
        input jsonb not null,
        access jsonb,
        state text not null default 'queued'
          check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown')),
        progress jsonb,
        result jsonb,
        error jsonb,
        attempts int not null default 0,
        claimed_attempt int not null default 0,
        claims int not null default 0,
        fence int not null default 0,
        agent text,
        dispatched_at timestamptz,
        lease_until timestamptz,
        not_before timestamptz not null default now(),
        cancel_asked_at timestamptz,
        log_seq int not null default 0,
        log_bytes int not null default 0,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz
      )`);
    await createIndexes(runner);
    await runner.query(`
      create table job_log (
        job_id uuid not null references jobs (id) on delete cascade,
        seq int not null,
        at timestamptz not null default now(),
        text text not null,
        primary key (job_id, seq)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function createIndexes(runner: QueryRunner): Promise<void> {
  const isOpen = "state in ('queued', 'running') and not is_batch";
  await runner.query(
    `create index jobs_waiting on jobs (lane, created_at, id) where ${isOpen} and dispatched_at is null`,
  );
  await runner.query(`create index jobs_busy on jobs (lane) where ${isOpen} and dispatched_at is not null`);
  await runner.query(`create index jobs_leases on jobs (lease_until) where ${isOpen} and dispatched_at is not null`);
  // Two exclusive jobs of one site never run at once, even if a dispatcher has a bug.
  await runner.query(
    `create unique index jobs_exclusive on jobs (site_id) where is_exclusive and ${isOpen} and dispatched_at is not null`,
  );
  await runner.query('create index jobs_owner_id on jobs (owner_id, created_at desc) where batch_id is null');
  await runner.query('create index jobs_created_at on jobs (created_at desc) where batch_id is null');
  await runner.query('create index jobs_site_id on jobs (site_id, created_at desc)');
  await runner.query('create index jobs_server_id on jobs (server_id, created_at desc)');
  await runner.query('create index jobs_batch_id on jobs (batch_id)');
}
