import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Session } from './session.entity';

const everyMs = 10 * 60_000;

/** Removes sessions that are over. They are refused from their last second on; this only keeps the table small. */
@Injectable()
export class SessionExpiry implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  onApplicationBootstrap(): void {
    const sweep = () => this.sessions.delete({ expiresAt: LessThan(new Date()) }).catch(() => undefined);
    this.timer = setInterval(() => void sweep(), everyMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
