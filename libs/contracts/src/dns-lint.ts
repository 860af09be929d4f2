import { z } from 'zod';
import { contract } from './contract';
import { providerId, zoneRef } from './domain-name';

export const lintSeverities = ['error', 'warning', 'info'] as const;

export const DnsFinding = z.object({
  /** Which check: `spf_two`, `dmarc_missing`, … */
  rule: z.string(),
  severity: z.enum(lintSeverities),
  /** Where, as people read it. */
  name: z.string(),
  message: z.string(),
  /** What to do about it. */
  remedy: z.string().nullable(),
  record_ids: z.array(providerId),
});
export type DnsFinding = z.infer<typeof DnsFinding>;

/** What in the zone keeps its mail or its names from working: SPF, DKIM, DMARC, MX, duplicates. The worst first. */
export const lintDnsZone = contract('dns.lint.read', {
  input: z.object({ zone_id: zoneRef }),
  output: z.object({ findings: z.array(DnsFinding) }),
  callers: ['gateway'],
  timeoutMs: 60_000,
});
