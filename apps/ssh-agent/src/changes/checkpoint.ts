import { SiteProblem } from '@vigie/contracts/inventory';
import { LogPlace } from '@vigie/wordpress/logs';
import { z } from 'zod';
import { PageChecks } from './regressions';

/** Why an item goes back to what it was. */
const Verdict = z.object({
  code: z.string(),
  /** What happened, without what came of it. */
  reason: z.string().max(4_000),
  remedy: z.string().max(2_000),
  /** Somebody asked to end it before anything had changed. */
  isCancelled: z.boolean(),
  /** The change had come to its end, and its site runs: visitors may have written to it since. */
  isDone: z.boolean().default(false),
});
export type Verdict = z.infer<typeof Verdict>;

/** What each worker on one change knows: kept before the step that it is for. */
export const ChangeCheckpoint = z.object({
  php: z.string(),
  path: z.string(),
  home: z.string(),
  begun_at: z.string(),
  baseline: PageChecks,
  /** Why WordPress did not start before, where its operation does not see that itself. */
  problem: SiteProblem.nullable(),
  /** After the change: when it was seen to be fine, and where the logs were. */
  looked: z.object({ at: z.number(), logs: z.array(LogPlace) }).nullable(),
  verdict: Verdict.nullable(),
  /** How often putting it back was begun. */
  tries: z.int(),
  /** When it was put back. */
  back_at: z.number().nullable(),
  /** Whether its tables came back too, without what was written since. */
  has_tables_back: z.boolean().default(false),
});
export type ChangeCheckpoint = z.infer<typeof ChangeCheckpoint>;
