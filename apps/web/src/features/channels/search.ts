import type { DeliveryState } from '@vigie/contracts/channels';
import { z } from 'zod';
import { flag, page, text } from '../../kit/list/search-params';

export const deliveryStates = ['queued', 'sent', 'failed', 'cancelled'] as const satisfies readonly DeliveryState[];

/** What is open and listed of the channels and their messages, kept in the address. */
export const ChannelsSearch = z.object({
  /** Whether the form for a new channel is open. */
  add: flag,
  /** The channel whose form is open. */
  edit: text,
  /** The messages of one channel, or in one state. */
  channel: text,
  state: z.enum(deliveryStates).optional().catch(undefined),
  page,
});
export type ChannelsSearch = z.infer<typeof ChannelsSearch>;
