import { createAudit } from '@vigie/service-kit/audit';
import { createIdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { createOutbox } from '@vigie/service-kit/outbox';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTwoFactorSettingsAndMails1795262400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table users
        add column last_login_at timestamptz,
        add column totp_secret jsonb,
        add column totp_last_step bigint,
        add column two_factor_at timestamptz,
        add column grace_used int not null default 0,
        add check ((totp_secret is null) = (two_factor_at is null))`);
    await runner.query(`
      alter table sessions
        add column user_agent text,
        add column is_restricted boolean not null default false`);
    await createTwoFactor(runner);
    await createSettings(runner);
    await createMails(runner);
    await createAudit(runner);
    await createOutbox(runner);
    await createIdempotencyKeys(runner);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function createTwoFactor(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table two_factor_enrolments (
      user_id uuid primary key references users on delete cascade,
      secret jsonb not null,
      code_hashes text[] not null,
      expires_at timestamptz not null
    )`);
  await runner.query(`
    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      hash text not null,
      primary key (user_id, hash)
    )`);
}

async function createSettings(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table settings (
      id int primary key check (id = 1),
      app_name text not null,
      logo_light text,
      logo_dark text,
      default_sender_email text,
      require_2fa text not null check (require_2fa in ('off', 'admins', 'all')),
      sendgrid_key jsonb,
      sendgrid_key_at timestamptz
    )`);
  await runner.query("insert into settings (id, app_name, require_2fa) values (1, 'Vigie', 'off')");
}

async function createMails(runner: QueryRunner): Promise<void> {
  // An address without account gets a row too, so that the answer always takes the same time.
  await runner.query(`
    create table password_resets (
      id uuid primary key,
      email text not null,
      token_hash text not null unique,
      expires_at timestamptz not null,
      used_at timestamptz
    )`);
  await runner.query('create index password_resets_expires_at on password_resets (expires_at)');
  await runner.query(`
    create table mails (
      id uuid primary key,
      recipient text not null,
      subject text not null,
      body jsonb,
      needs_account boolean not null default false,
      state text not null check (state in ('queued', 'sent', 'failed')),
      attempts int not null default 0,
      error text,
      created_at timestamptz not null default now(),
      next_at timestamptz not null default now(),
      expires_at timestamptz not null,
      sent_at timestamptz,
      check ((body is null) = (state <> 'queued'))
    )`);
  await runner.query("create index mails_next_at on mails (next_at) where state = 'queued'");
  await runner.query('create index mails_created_at on mails (created_at)');
}
