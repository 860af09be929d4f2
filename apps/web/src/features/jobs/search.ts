import { z } from 'zod';

export const filters = [
  { value: 'all', label: 'Toutes' },
  { value: 'open', label: 'En cours' },
  { value: 'failed', label: 'Échecs' },
] as const;
export type Filter = (typeof filters)[number]['value'];

/** The state of the page of jobs, kept in the address. */
export const JobsSearch = z.object({ show: z.enum(['open', 'failed']).optional().catch(undefined) });
export type JobsSearch = z.infer<typeof JobsSearch>;
