import { z } from 'zod';
import { contract } from './contract';
import { id, offset, oneOf, optionalLines, requiredText, timestamp } from './text';

/** `vigie` is the installation itself, such as its own network. */
const SubjectKind = z.enum(['site', 'server', 'vigie']);
export type SubjectKind = z.infer<typeof SubjectKind>;

/** `domain` is a registered domain, which several sites may share. */
const CauseKind = z.enum([...SubjectKind.options, 'domain']);
export type CauseKind = z.infer<typeof CauseKind>;

/**
 * `outage`: visitors get no answer or an error. `content`: they get another page than the one that is expected. `certificate`:
 * it expires soon, or has expired. `domain`: so does the registered domain. `dns`: the name of the site leads to addresses that
 * were never right. `network`: Vigie reaches nobody, so it knows nothing about the sites. `unwatched`: Vigie was stopped, or its
 * agents were, and checked nothing; it is over when it is found out.
 */
export const IncidentKind = z.enum(['outage', 'content', 'certificate', 'domain', 'dns', 'network', 'unwatched']);
export type IncidentKind = z.infer<typeof IncidentKind>;

export const Severity = z.enum(['critical', 'warning', 'info']);
export type Severity = z.infer<typeof Severity>;

export const IncidentState = z.enum(['open', 'resolved']);
export type IncidentState = z.infer<typeof IncidentState>;

/** What a check found: the HTTP status (0 without an answer), the reason as a sentence, the end of a certificate or domain. */
export const Evidence = z.object({
  code: z.int().nullable(),
  reason: z.string().nullable(),
  ends_at: timestamp.nullable().default(null),
});
export type Evidence = z.infer<typeof Evidence>;

/** The answer of the same address to a server: its own, or another one of the same owner. */
export const OpinionAnswer = z.object({
  /** 0 without an answer; null when the server could not be asked. */
  code: z.int().nullable(),
  ms: z.int().nullable(),
  error: z.string().nullable(),
});
export type OpinionAnswer = z.infer<typeof OpinionAnswer>;

/** Whether the site answers its own server. `fails_everywhere` needs a third place that gets no answer either. */
export const Verdict = z.enum(['answers_there', 'fails_there', 'fails_everywhere', 'unknown']);
export type Verdict = z.infer<typeof Verdict>;

/** A second opinion about a site that does not answer Vigie. */
export const Opinion = z.object({
  verdict: Verdict,
  at: timestamp,
  own: OpinionAnswer,
  /** The third place; its name is null for people who do not own it. */
  other: OpinionAnswer.extend({ server_name: z.string().nullable() }).nullable(),
});
export type Opinion = z.infer<typeof Opinion>;

const summary = {
  id,
  kind: IncidentKind,
  severity: Severity,
  state: IncidentState,
  /** The id is null where the cause was deleted, is not the caller's, or is a domain or Vigie itself. */
  cause: z.object({ kind: CauseKind, id: id.nullable(), name: z.string() }),
  /** Whether the server that is the cause does not answer itself; false when only its sites fail. */
  is_server_down: z.boolean(),
  /** How many sites it has touched, and how many of these still fail. */
  sites: z.int(),
  failing: z.int(),
  /** Of the first subject. */
  evidence: Evidence.nullable(),
  verdict: Verdict.nullable(),
  /** The first failed check, and the check that opened the incident. */
  observed_at: timestamp,
  opened_at: timestamp,
  resolved_at: timestamp.nullable(),
  /** `recovered` by good checks, `closed` by a person, `merged` into another incident, `removed` with its subjects. */
  resolution: z.enum(['recovered', 'closed', 'merged', 'removed']).nullable(),
  acknowledged_at: timestamp.nullable(),
  acknowledged_by: z.string().nullable(),
  muted_until: timestamp.nullable(),
  /** It comes and goes: it now needs longer good checks to end. */
  is_flapping: z.boolean(),
  reopenings: z.int(),
};

export const IncidentItem = z.object(summary);
export type IncidentItem = z.infer<typeof IncidentItem>;

const IncidentSubject = z.object({
  kind: SubjectKind,
  /** Null once the site or server was deleted. */
  id: id.nullable(),
  name: z.string(),
  since: timestamp,
  /** Null while it fails. */
  until: timestamp.nullable(),
  evidence: Evidence.nullable(),
  opinion: Opinion.nullable(),
});
export type IncidentSubject = z.infer<typeof IncidentSubject>;

export const IncidentEventKind = z.enum([
  'observed',
  'opened',
  'joined',
  'opinion',
  'recovered',
  'reopened',
  'acknowledged',
  'muted',
  'unmuted',
  'commented',
  'merged',
  'removed',
  'closed',
  'resolved',
  /** A task that Vigie ran on a touched site meanwhile, or within the hour before. */
  'task',
  /** A channel of the caller was told, or could not be. */
  'alerted',
  'alert_failed',
]);
export type IncidentEventKind = z.infer<typeof IncidentEventKind>;

const IncidentEvent = z.object({
  at: timestamp,
  kind: IncidentEventKind,
  /** The person who did it. */
  by: z.string().nullable(),
  /** The site or server that it is about, where the incident has several, or the channel that was told. */
  subject: z.string().nullable(),
  /** A comment, or why a channel could not be told. */
  text: z.string().nullable(),
  evidence: Evidence.nullable(),
  opinion: Opinion.nullable(),
  /** How many sites it stands for, when many joined or recovered together. */
  count: z.int().nullable(),
  until: timestamp.nullable(),
  job: z.object({ id, kind: z.string(), state: z.string() }).nullable(),
});
export type IncidentEvent = z.infer<typeof IncidentEvent>;

export const Incident = IncidentItem.extend({
  /** The incident of its server that it became a part of. */
  merged_into: id.nullable(),
  /** Those that still fail first, 200 at most. */
  subjects: z.array(IncidentSubject),
  /** The oldest first, 500 at most. */
  events: z.array(IncidentEvent),
  /** Whether the caller may acknowledge, mute, comment and resolve it. */
  can_act: z.boolean(),
});
export type Incident = z.infer<typeof Incident>;

/** Lists the incidents about what the caller reaches: the open ones first, then the newest. */
export const listIncidents = contract('sites.incidents.list', {
  http: 'GET /api/incidents',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['incidents'],
  input: z.object({
    state: oneOf(IncidentState.options).optional(),
    site_id: id.optional(),
    server_id: id.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset,
  }),
  output: z.object({ items: z.array(IncidentItem), total: z.int() }),
});

export const readIncident = contract('sites.incidents.read', {
  http: 'GET /api/incidents/:id',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['incidents'],
  input: z.object({ id }),
  output: Incident,
});

/** Says that somebody looks after it. A second acknowledgement changes nothing. */
export const acknowledgeIncident = contract('sites.incidents.acknowledge', {
  http: 'POST /api/incidents/:id/ack',
  access: 'user',
  scope: 'run',
  grantRole: 'operator',
  changes: ['incidents'],
  input: z.object({ id }),
  output: Incident,
});

/** Mutes it for so many minutes, thirty days at most; 0 ends that. */
export const muteIncident = contract('sites.incidents.mute', {
  http: 'POST /api/incidents/:id/mute',
  access: 'user',
  scope: 'run',
  grantRole: 'operator',
  changes: ['incidents'],
  input: z.object({ id, minutes: z.int().min(0).max(43_200) }),
  output: Incident,
});

export const maxCommentLength = 2_000;

export const commentIncident = contract('sites.incidents.comment', {
  http: 'POST /api/incidents/:id/comment',
  access: 'user',
  scope: 'run',
  grantRole: 'operator',
  changes: ['incidents'],
  input: z.object({
    id,
    text: requiredText('Écrivez un commentaire.', maxCommentLength)
      .pipe(optionalLines(maxCommentLength))
      .transform((text) => text ?? ''),
  }),
  output: Incident,
});

/** Closes it by hand. It opens again if its subjects go on failing. */
export const resolveIncident = contract('sites.incidents.resolve', {
  http: 'POST /api/incidents/:id/resolve',
  access: 'user',
  scope: 'run',
  grantRole: 'operator',
  changes: ['incidents'],
  input: z.object({ id }),
  output: Incident,
});
