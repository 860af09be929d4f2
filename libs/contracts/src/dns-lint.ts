import { z } from 'zod';
import { contract } from './contract';
import { providerId, zoneRef } from './domain-name';

export const lintSeverities = ['error', 'warning', 'info'] as const;

export const DnsFinding = z.object({
  /** Name of the check: `spf_two`, `dmarc_missing`, … */
  rule: z.string(),
  severity: z.enum(lintSeverities),
  /** The record's name, with its accents. */
  name: z.string(),
  message: z.string(),
  /** What the user should do. */
  remedy: z.string().nullable(),
  record_ids: z.array(providerId),
});
export type DnsFinding = z.infer<typeof DnsFinding>;

/** Checks a zone for faults of mail and names: SPF, DKIM, DMARC, MX, duplicates. Lists the worst first. */
export const lintDnsZone = contract('dns.lint.read', {
  http: 'GET /api/cloudflare/zones/:zone_id/dns/lint',
  access: 'user',
  scope: 'read',
  reads: ['dns-records'],
  input: z.object({ zone_id: zoneRef }),
  output: z.object({ findings: z.array(DnsFinding) }),
  timeoutMs: 60_000,
});
