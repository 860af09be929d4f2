import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { readAuthOutbox } from '@vigie/contracts/outbox';
import { Handles } from '@vigie/service-kit/handles';
import { readOutboxEvents } from '@vigie/service-kit/outbox';
import { DataSource } from 'typeorm';

@Controller()
export class OutboxController {
  constructor(private readonly database: DataSource) {}

  @Handles(readAuthOutbox)
  read({ after, limit }: Input<typeof readAuthOutbox>) {
    return readOutboxEvents(this.database, after, limit);
  }
}
