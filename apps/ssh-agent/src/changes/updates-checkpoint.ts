import { JobError } from '@vigie/contracts/jobs';
import { ChangeDone } from '@vigie/wordpress/change';
import { LogPosition } from '@vigie/wordpress/logs';
import { z } from 'zod';
import { PageChecks } from './regressions';

/** What the operation did with one item that it does not leave half changed. */
const UpdateEnd = z.discriminatedUnion('is', [ChangeDone, z.object({ is: z.literal('refused'), error: JobError })]);
export type UpdateEnd = z.infer<typeof UpdateEnd>;

/** The state of the updates that are made together, which the job that leads them saves before each step. */
export const UpdatesCheckpoint = z.object({
  /** The jobs, in the order of their updates. */
  together: z.array(z.string()),
  php: z.string(),
  path: z.string(),
  begun_at: z.string(),
  baseline: PageChecks,
  /** By job, once the operation is over. */
  ends: z.record(z.string(), UpdateEnd).default({}),
  /** The first check after the updates, once it has passed; `starts`: whether WordPress started before them. */
  looked: z.object({ at: z.number(), logs: z.array(LogPosition), starts: z.boolean().nullable() }).nullable(),
  /** Why all are rolled back. */
  reason: z.string().max(4_000).nullable(),
  /** The jobs whose items are back. */
  back: z.array(z.string()),
  /** How often the rollback of the next item was started. */
  tries: z.int(),
});
export type UpdatesCheckpoint = z.infer<typeof UpdatesCheckpoint>;
