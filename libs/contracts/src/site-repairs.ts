import { z } from 'zod';
import { contract } from './contract';
import { SiteState, SiteProblem, slugRule } from './inventory';
import { JobTicket } from './jobs';
import { expectedPlace, wpPath } from './site-address';
import { SiteJobInput } from './site-checks';
import { HttpStatus } from './sites';
import { id, timestamp } from './text';

/** The kinds of code that a repair can quarantine. */
export const RepairTarget = z.enum(['plugin', 'theme', 'must_use', 'drop_in']);
export type RepairTarget = z.infer<typeof RepairTarget>;

const slug = z.string().regex(slugRule, 'Cet identifiant n’est pas celui d’une extension.');
/** A random mark that distinguishes quarantined items of one name. */
const mark = z.string().regex(/^[0-9a-f]{12}$/, 'Cette marque n’est pas valide.');

/** Path of a quarantined item: type, name and mark. */
export const quarantinedRule = /^(plugin|theme|must_use|drop_in)\/([A-Za-z0-9][A-Za-z0-9._-]{0,194})-([0-9a-f]{12})$/;

/** A repair of a site that does not start. No repair starts WordPress or deletes the only copy of a file. */
export const Repair = z.discriminatedUnion('action', [
  /** Removes `.maintenance` only while it has the modification time of the check. */
  z.object({ action: z.literal('end_maintenance'), mtime: z.int().min(0) }),
  z.object({ action: z.literal('set_aside'), type: RepairTarget, slug, mark: mark.nullish() }),
  z.object({
    action: z.literal('put_back'),
    aside: z.string().regex(quarantinedRule, 'Cet élément n’est pas mis de côté.'),
  }),
]);
export type Repair = z.infer<typeof Repair>;

/** A proposed repair, with its command. */
export const Proposal = z.object({
  repair: Repair,
  title: z.string(),
  /** Consequences that the user should know before. */
  effect: z.string(),
  command: z.string(),
  /** Why the repair is impossible; null when it is possible. */
  refusal: z.string().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;

/** `until` gives the time from which WordPress ignores the file by itself; with `over` it already does. */
export const Maintenance = z.object({
  mtime: z.int(),
  made_at: timestamp,
  holds: z.enum(['until', 'always', 'over', 'unknown']),
  until: timestamp.nullable(),
});
export type Maintenance = z.infer<typeof Maintenance>;

export const LastFatal = SiteProblem.pick({ message: true, file: true, line: true, culprit: true }).extend({
  at: timestamp.nullable(),
});
export type LastFatal = z.infer<typeof LastFatal>;

/** Diagnosis of a broken site, from its host, its files and its public pages. */
export const RepairCheck = z.object({
  at: timestamp,
  maintenance: Maintenance.nullable(),
  boot: z.object({
    starts: z.boolean(),
    /** Whether WordPress starts without plugins and theme; null when not tried. */
    starts_bare: z.boolean().nullable(),
    problem: SiteProblem.nullable(),
  }),
  last_fatal: LastFatal.nullable(),
  pages: z.object({ home: HttpStatus, login: HttpStatus }),
  proposals: z.array(Proposal).max(10),
  /** Repairs that would put quarantined items back. */
  aside: z.array(Proposal.extend({ made_at: timestamp.nullable() })).max(100),
  aside_folder: z.string().nullable(),
  notes: z.array(z.string()).max(10),
});
export type RepairCheck = z.infer<typeof RepairCheck>;

const checkResult = {
  look: RepairCheck.nullable(),
  facts: SiteState.nullable(),
  path: wpPath.nullish(),
  host_key: z.string().nullish(),
};

/** Result of a check, or of a repair (`done`) and the check after it. */
export const SiteRepairs = z.object({
  ...checkResult,
  done: z.object({ repair: Repair, sentence: z.string(), command: z.string() }).nullable().default(null),
});
export type SiteRepairs = z.infer<typeof SiteRepairs>;

/** Diagnoses a broken site in a job, without changing it. */
export const checkForRepairs = contract('sites.site-repairs.look', {
  http: 'POST /api/sites/:id/repairs/look',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: SiteRepairs },
  changes: ['jobs'],
  input: z.object({ id }),
  output: JobTicket,
});

/** Applies one repair in an exclusive job on the site, then checks again. */
export const repairSite = contract('sites.site-repairs.apply', {
  http: 'POST /api/sites/:id/repairs',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  answer: { job: SiteRepairs },
  changes: ['jobs'],
  input: z.object({
    id,
    repair: Repair,
    /** The check that was shown: if anything was checked, repaired or changed on the site since, nothing is repaired. */
    expected_check: id.optional(),
    expected_place: expectedPlace,
  }),
  output: JobTicket,
});

export const RepairInput = SiteJobInput.extend({
  repair: Repair,
  /** The site's content folder at the last scan. */
  content: z.string().nullable(),
});
