import { SiteProblem } from '@vigie/contracts/inventory';
import { ChangeDone } from '@vigie/wordpress/change';
import { LogPosition } from '@vigie/wordpress/logs';
import { z } from 'zod';
import { PageChecks } from './regressions';

/** Why a change is rolled back. */
const Verdict = z.object({
  code: z.string(),
  /** What happened, without the result of the rollback. */
  reason: z.string().max(4_000),
  remedy: z.string().max(2_000),
  /** The job was cancelled before anything had changed. */
  isCancelled: z.boolean(),
  /** The change had ended and the site ran, so that visitors may have written to it since. */
  isDone: z.boolean().default(false),
  /** What the checks after the change saw. */
  after: PageChecks.nullable().default(null),
  php_errors: z.array(z.string()).default([]),
});
export type Verdict = z.infer<typeof Verdict>;

/** What the second check needs, so that it reads nothing again of an operation that is over. */
const FirstCheck = z.object({
  at: z.number(),
  /** The positions in the logs at that time. */
  logs: z.array(LogPosition),
  end: ChangeDone,
  /** Whether WordPress started before the change, as the operation found. */
  starts: z.boolean().nullable(),
});
export type FirstCheck = z.infer<typeof FirstCheck>;

/** The state of one change, saved before each step that needs it. */
export const Checkpoint = z.object({
  php: z.string(),
  path: z.string(),
  home: z.string(),
  begun_at: z.string(),
  baseline: PageChecks,
  /** Why WordPress did not start before a restore, whose operation does not find that out itself. */
  problem: SiteProblem.nullable(),
  /** The first check after the change, once it has passed. It is made again where an earlier version stored less of it. */
  looked: FirstCheck.nullable().catch(null),
  verdict: Verdict.nullable(),
  /** How many times a rollback was started. */
  tries: z.int(),
  /** When the rollback ended. */
  back_at: z.number().nullable(),
  /** Whether the tables were rolled back too, which loses what was written since. */
  has_tables_back: z.boolean().default(false),
});
export type Checkpoint = z.infer<typeof Checkpoint>;
