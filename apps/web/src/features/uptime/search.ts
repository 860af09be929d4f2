import { z } from 'zod';

/** How far back the page of a site shows its response times, kept in the address; a week by default. */
export const UptimeSearch = z.object({
  period: z.enum(['day', 'month', 'quarter']).optional().catch(undefined),
});
export type UptimeSearch = z.infer<typeof UptimeSearch>;
