import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

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

@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), everyMs);
    void this.sweep();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    for (const statement of over) await this.database.query(statement).catch(() => undefined);
  }
}
