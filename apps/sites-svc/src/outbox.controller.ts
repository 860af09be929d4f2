import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { readSitesOutbox } from '@vigie/contracts/outbox';
import { Handles } from '@vigie/service-kit/handles';
import { readOutboxEvents } from '@vigie/service-kit/outbox';
import { DataSource } from 'typeorm';

@Controller()
export class OutboxController {
  constructor(private readonly database: DataSource) {}

  @Handles(readSitesOutbox)
  read({ after, limit }: Input<typeof readSitesOutbox>) {
    return readOutboxEvents(this.database, after, limit);
  }
}
