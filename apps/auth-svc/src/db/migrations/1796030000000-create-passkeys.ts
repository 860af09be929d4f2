import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePasskeys1796030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table passkeys (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        rp_id text not null,
        credential_id text not null unique,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        name text not null,
        is_backup_eligible boolean not null,
        is_synced boolean not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz
      )`);
    await runner.query('create index passkeys_user_id on passkeys (user_id)');
    await runner.query(`
      create table passkey_challenges (
        hash text primary key,
        purpose text not null check (purpose in ('creation', 'login', 'second_factor')),
        user_id uuid references users on delete cascade,
        session_id uuid references sessions on delete cascade,
        expires_at timestamptz not null,
        check ((purpose = 'login') = (user_id is null)),
        check ((purpose = 'creation') = (session_id is not null))
      )`);
    await runner.query('create index passkey_challenges_user_id on passkey_challenges (user_id)');
    await runner.query('create index passkey_challenges_session_id on passkey_challenges (session_id)');
    await runner.query('create index passkey_challenges_expires_at on passkey_challenges (expires_at)');
    // An app was the only second factor until now.
    await runner.query('alter table users drop constraint users_check');
    await runner.query(
      'alter table users add constraint users_check check (totp_secret is null or two_factor_at is not null)',
    );
    await runner.query('alter table sessions add column passkey_id uuid references passkeys on delete set null');
    await runner.query('create index sessions_passkey_id on sessions (passkey_id) where passkey_id is not null');
    // A service of the release before turns the 2FA off without knowing passkeys, which would go on opening the account.
    await runner.query(`
      create function delete_passkeys() returns trigger language plpgsql set search_path from current as $function$
      begin
        delete from passkeys where user_id = new.id;
        return null;
      end $function$`);
    await runner.query(`
      create trigger delete_passkeys after update of two_factor_at on users for each row
      when (old.two_factor_at is not null and new.two_factor_at is null) execute function delete_passkeys()`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
