import type { Log } from '@vigie/service-kit/log';
import { Retention } from '@vigie/service-kit/retention';
import type { DataSource } from 'typeorm';

const everyMs = 10 * 60_000;

/** These rows are refused or ignored from the moment they expire; deleting them only keeps the tables small. */
const deletions = [
  'delete from sessions where expires_at < now()',
  "delete from tokens where expires_at < now() - interval '30 days'",
  'delete from two_factor_enrolments where expires_at < now()',
  'delete from passkey_challenges where expires_at < now()',
  "delete from password_resets where expires_at < now() - interval '1 day'",
  "delete from mails where state <> 'queued' and created_at < now() - interval '90 days'",
  "delete from creation_keys where at < now() - interval '24 hours'",
  "delete from outbox where at < now() - interval '30 days'",
];

export const makeRetention = (database: DataSource, log: Log) =>
  new Retention(
    log,
    everyMs,
    deletions.map((statement) => () => database.query(statement)),
  );
