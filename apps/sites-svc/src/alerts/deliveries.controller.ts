import { Controller } from '@nestjs/common';
import { type Delivery, listDeliveries, resendDelivery } from '@vigie/contracts/channels';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { addDelivery, findDeliveries, findDelivery, findDeliveryRow, refuseTooMany } from './deliveries';
import { lockChannel } from './find-channels';
import { Sender } from './sender';

/** The messages that channels sent, will send, or could not send. */
@Controller()
export class DeliveriesController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly sender: Sender,
  ) {}

  @Handles(listDeliveries)
  list(filters: Input<typeof listDeliveries>): Promise<Output<typeof listDeliveries>> {
    return findDeliveries(this.database.manager, filters);
  }

  @Handles(resendDelivery)
  async resend(input: Input<typeof resendDelivery>): Promise<Delivery> {
    const id = await this.database.transaction(async (manager) => {
      const { id: from, channel_id: channelId, ...row } = await findDeliveryRow(manager, input.id);
      await lockChannel(manager, channelId);
      const newId = uuid();
      const existingId = await this.idempotencyKeys.claim(manager, resendDelivery, input, newId);
      if (existingId !== undefined) return existingId;
      if (row.state === 'queued') throw new AppError('conflict', 'Ce message attend déjà de partir.');
      await refuseTooMany(manager, channelId);
      const again = { id: from, messageId: row.message_id };
      return addDelivery(manager, { id: newId, channelId, message: row.message, incidentId: row.incident_id, again });
    });
    void this.sender.wake();
    return findDelivery(this.database.manager, id);
  }
}
