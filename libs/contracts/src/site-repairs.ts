import { z } from 'zod';
import { contract } from './contract';
import { SiteFacts, SiteProblem, slugRule } from './inventory';
import { JobTicket } from './jobs';
import { wpPath } from './site-address';
import { SiteJobInput } from './site-checks';
import { HttpStatus } from './sites';
import { id, timestamp } from './text';

/** Whose code can be taken out of the way of WordPress. */
export const RepairTarget = z.enum(['plugin', 'theme', 'must_use', 'drop_in']);
export type RepairTarget = z.infer<typeof RepairTarget>;

const slug = z.string().regex(slugRule, 'Cet identifiant n’est pas celui d’une extension.');
/** What tells apart things of one name that were set aside. */
const mark = z.string().regex(/^[0-9a-f]{12}$/, 'Cette marque n’est pas valide.');

/** A thing that was set aside, by its type, its name and its mark. */
export const quarantinedRule = /^(plugin|theme|must_use|drop_in)\/([A-Za-z0-9][A-Za-z0-9._-]{0,194})-([0-9a-f]{12})$/;

/** What can be done to a site that does not start: none of it starts WordPress, and none removes the only copy of a thing. */
export const Repair = z.discriminatedUnion('action', [
  /** The `.maintenance` that was seen, by its time, and no other. */
  z.object({ action: z.literal('end_maintenance'), mtime: z.int().min(0) }),
  z.object({ action: z.literal('set_aside'), type: RepairTarget, slug, mark: mark.nullish() }),
  z.object({
    action: z.literal('put_back'),
    aside: z.string().regex(quarantinedRule, 'Cet élément n’est pas de ceux qui sont mis de côté.'),
  }),
]);
export type Repair = z.infer<typeof Repair>;

/** An action that is offered, with what would be run. */
export const Proposal = z.object({
  repair: Repair,
  title: z.string(),
  /** What follows from it, good to know before. */
  effect: z.string(),
  command: z.string(),
  /** Why it cannot be done. */
  refusal: z.string().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;

/** `until`: WordPress forgets it by itself then; `over`: it already does. */
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

/** Why a site does not work, as far as its host, its files and its visitors tell. */
export const RepairCheck = z.object({
  at: timestamp,
  maintenance: Maintenance.nullable(),
  boot: z.object({
    starts: z.boolean(),
    /** Without its plugins and its theme; null where that was not tried. */
    starts_bare: z.boolean().nullable(),
    problem: SiteProblem.nullable(),
  }),
  last_fatal: LastFatal.nullable(),
  pages: z.object({ home: HttpStatus, login: HttpStatus }),
  proposals: z.array(Proposal).max(10),
  /** What lies aside, as it would be put back. */
  aside: z.array(Proposal.extend({ made_at: timestamp.nullable() })).max(100),
  /** Where that is. */
  aside_folder: z.string().nullable(),
  notes: z.array(z.string()).max(10),
});
export type RepairCheck = z.infer<typeof RepairCheck>;

const found = {
  look: RepairCheck.nullable(),
  facts: SiteFacts.nullable(),
  path: wpPath.nullish(),
  host_key: z.string().nullish(),
};

/** What came of a look, or of a repair and the look after it; `done` is what was done. */
export const SiteRepairs = z.object({
  ...found,
  done: z.object({ repair: Repair, sentence: z.string(), command: z.string() }).nullable().default(null),
});
export type SiteRepairs = z.infer<typeof SiteRepairs>;

/** A job: why does this site not work? Nothing of it is changed. */
export const checkForRepairs = contract('sites.site-repairs.look', {
  input: z.object({ id }),
  output: JobTicket,
  callers: ['gateway'],
});

/** A job, alone on its site: it does one thing, and looks again. */
export const repairSite = contract('sites.site-repairs.apply', {
  input: z.object({ id, repair: Repair }),
  output: JobTicket,
  callers: ['gateway'],
});

/** What the agents are given: kind `site-repairs.apply`. */
export const RepairInput = SiteJobInput.extend({
  repair: Repair,
  /** Where the site keeps its plugins, as it was seen last. */
  content: z.string().nullable(),
});
