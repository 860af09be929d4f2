import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { Rounds } from '@vigie/service-kit/rounds';
import { DataSource } from 'typeorm';
import { env } from '../env';

const everyMs = 10 * 60_000;

/** All of these are refused or ignored from their last second on; removing them only keeps the tables small. */
const over = [
  'delete from sessions where expires_at < now()',
  'delete from two_factor_enrolments where expires_at < now()',
  "delete from password_resets where expires_at < now() - interval '1 day'",
  "delete from mails where state <> 'queued' and created_at < now() - interval '90 days'",
  "delete from creation_keys where at < now() - interval '24 hours'",
  "delete from outbox where at < now() - interval '30 days'",
];

const complaint = 'what is over could not be removed';

@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('auth-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new Rounds(this.log, complaint, () => this.pass());

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.rounds.start(everyMs);
    void this.rounds.go();
  }

  onApplicationShutdown(): void {
    this.rounds.stop();
  }

  private async pass(): Promise<void> {
    // One that fails keeps none of the others from theirs.
    for (const statement of over) {
      await this.database.query(statement).catch((error: unknown) => this.log.warn({ err: error }, complaint));
    }
  }
}
