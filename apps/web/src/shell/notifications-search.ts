import { z } from 'zod';
import { ChannelsSearch } from '../features/channels/search';

/** Without a tab, the page of notifications shows how mails are sent. */
export const NotificationsSearch = ChannelsSearch.extend({
  tab: z.enum(['channels', 'deliveries']).optional().catch(undefined),
});
export type NotificationsSearch = z.infer<typeof NotificationsSearch>;
