import { z } from 'zod';
import { contract } from './contract';
import { timestamp } from './text';

/** `unknown`: no registry publishes the end of this domain. `failed`: the registry was asked and did not say it. */
const DomainState = z.enum(['known', 'unknown', 'failed']);

/**
 * `renewing`: the registry has moved the end on by itself, and takes that back unless somebody pays. `lapsed`: nobody did, and
 * the domain is about to be given up, whatever its date says.
 */
export const DomainPhase = z.enum(['usual', 'renewing', 'lapsed']);
export type DomainPhase = z.infer<typeof DomainPhase>;

export const maxRegistrarLength = 200;

/** What the registry says of a registered domain. */
export const DomainAnswer = z.object({
  state: DomainState,
  phase: DomainPhase,
  expires_at: timestamp.nullable(),
  registrar: z.string().max(maxRegistrarLength).nullable(),
  /** Why the end is not known, as a sentence. */
  error: z.string().nullable(),
  /** The host of the registry; null where there is none to ask, or its name could not be found out. */
  server: z.string().nullable(),
  /** Whether the registry was asked: not while it wants to be left alone. */
  was_asked: z.boolean(),
  /** The seconds for which the registry wants no other question. */
  retry_after: z.int().nullable(),
});
export type DomainAnswer = z.infer<typeof DomainAnswer>;

/** Asks the registry when a registered domain ends. The name is in ASCII, as `xn--caf-dma.fr`. */
export const readDomain = contract('agent.domains.read', {
  input: z.object({ name: z.string().min(3).max(253) }),
  output: DomainAnswer,
  callers: ['sites-svc'],
  timeoutMs: 45_000,
});

/** The registered domain of a site, as it was last read. After a failure the end is the one that was known before. */
export const SiteDomain = z.object({
  name: z.string(),
  state: DomainState,
  phase: DomainPhase,
  expires_at: timestamp.nullable(),
  registrar: z.string().nullable(),
  /** Null before the first reading. */
  checked_at: timestamp.nullable(),
  error: z.string().nullable(),
});
export type SiteDomain = z.infer<typeof SiteDomain>;
