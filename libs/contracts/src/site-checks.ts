import { z } from 'zod';
import { contract } from './contract';
import { Logins, SshAccess } from './credentials';
import { SiteState } from './inventory';
import { OpinionAnswer } from './incidents';
import { JobError } from './jobs';
import { ContentFinding, ShownContent } from './site-check-rules';
import { HttpStatus } from './sites';
import { id, timestamp } from './text';

/** What an agent must know of a site to read it. */
export const SiteTarget = z.object({
  id,
  /** Increases when the site's connection changes; results of an older version are dropped. */
  version: z.int(),
  path: z.string().nullable(),
  url: z.string(),
  /** The PHP binary found for this site. */
  php: z.string().nullable(),
});
export type SiteTarget = z.infer<typeof SiteTarget>;

export const SiteJobInput = z.object({ site: SiteTarget });

/** Groups sites by connection, so that each group is scanned in one go. Deleted sites are omitted. */
export const claimScans = contract('sites.site-looks.claim', {
  input: z.object({ ids: z.array(id).min(1).max(500) }),
  output: z.object({ groups: z.array(z.object({ access: SshAccess, sites: z.array(SiteTarget) })) }),
  callers: ['ssh-agent'],
});

const ScanResult = z.object({
  id,
  version: z.int(),
  logins: Logins,
  facts: SiteState.nullable(),
  failure: JobError.nullable(),
  path: z.string().nullish(),
  host_key: z.string().nullish(),
});
export type ScanResult = z.infer<typeof ScanResult>;

/** Each item has `facts` or a `failure`. A bus message holds a megabyte, hence the small maximum. */
export const reportScans = contract('sites.site-looks.report', {
  input: z.object({ items: z.array(ScanResult).min(1).max(50) }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

const Visit = z.object({
  id,
  url: z.string(),
  allows_private: z.boolean(),
  /** What the site must show; null where nothing is expected. */
  expected: ShownContent.nullable().default(null),
});
export type Visit = z.infer<typeof Visit>;

export const claimVisits = contract('sites.site-looks.claim_visits', {
  input: z.object({ ids: z.array(id).min(1).max(100) }),
  output: z.object({ items: z.array(Visit) }),
  callers: ['ssh-agent'],
});

/** The certificate that the site itself presented over HTTPS, valid or not. */
const Certificate = z.object({
  starts_at: timestamp.nullable().default(null),
  ends_at: timestamp,
  issuer: z.string().max(300),
});
export type Certificate = z.infer<typeof Certificate>;

/** The most addresses of a name that are told. */
export const maxAddresses = 16;

export const reportVisits = contract('sites.site-looks.report_visits', {
  input: z.object({
    items: z
      .array(
        Visit.pick({ id: true, url: true }).extend({
          seen: HttpStatus,
          certificate: Certificate.nullable().default(null),
          /** What was expected, and whether the site showed it; null where nothing was judged. */
          content: ShownContent.extend({ found: ContentFinding }).nullable().default(null),
          /** What the name of the site leads to: nothing where it has no address, null where nobody knows. */
          addresses: z.array(z.string().max(45)).max(maxAddresses).nullable().default(null),
        }),
      )
      .min(1)
      .max(100),
    /** Whether the agent reached well-known addresses just now; null where it did not try. */
    network: z.enum(['up', 'down']).nullable().default(null),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** Requests a site's address from one of the owner's servers: its own, or a third place. Follows no redirect. */
export const askServer = contract('agent.site-looks.ask_server', {
  input: z.object({ access: SshAccess, url: z.string() }),
  output: OpinionAnswer,
  callers: ['sites-svc'],
  timeoutMs: 25_000,
});

/** Requests one site's address at once, as a visitor does. */
export const visitSite = contract('agent.site-looks.visit', {
  input: Visit.pick({ url: true, allows_private: true }),
  output: HttpStatus,
  callers: ['sites-svc'],
  timeoutMs: 18_000,
});
