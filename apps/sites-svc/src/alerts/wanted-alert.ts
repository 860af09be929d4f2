import type { AlertKind } from '@vigie/contracts/channels';
import type { IncidentItem, IncidentKind, Severity } from '@vigie/contracts/incidents';

/** What decides about messages of an incident. */
export type IncidentState = {
  kind: IncidentKind;
  severity: Severity;
  /** When it last opened, or the last of its subjects began to fail. */
  since: Date;
  opened_at: Date;
  reopened_at: Date | null;
  resolved_at: Date | null;
  resolution: IncidentItem['resolution'];
  acknowledged_at: Date | null;
  muted_until: Date | null;
  is_flapping: boolean;
  /** The end of the certificate or domain that it is about. */
  ends_at: Date | null;
};

/** What a channel wants, and what it said last of the incident. */
export type ChannelState = {
  min_severity: Severity;
  is_quiet: boolean;
  delay_minutes: number;
  enabled_at: Date;
  last_kind: AlertKind | null;
  last_at: Date | null;
  /** Whether it has said since then that an incident opened which was merged into this one, and not that it ended. */
  has_open_part: boolean;
};

const ranks: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 };
const [minuteMs, dayMs] = [60_000, 86_400_000];
/** The end of one that comes and goes is only said once it can no longer open again. */
const flappingMinutes = 30;
/** The days before the end of a certificate or domain at which it is said again. */
const reminderDays = [7, 1];

type SaidLast = Pick<ChannelState, 'last_kind' | 'has_open_part'>;
const isOpenThere = ({ last_kind: last }: SaidLast): boolean => last !== null && last !== 'resolved';

/** Whether the channel has said that the incident, or one merged into it, opened, and not that it ended. */
export const isEndAwaited = (channel: SaidLast): boolean => isOpenThere(channel) || channel.has_open_part;

/** Which message the channel should send now, so that it has said what is true; undefined if it has, or should wait. */
export function wantedAlert(
  incident: IncidentState,
  channel: ChannelState,
  now: Date,
): Exclude<AlertKind, 'test' | 'digest'> | undefined {
  if (ranks[incident.severity] < ranks[channel.min_severity]) return undefined;
  if (channel.is_quiet && incident.severity !== 'critical') return undefined;
  if (incident.resolved_at)
    return isEndWanted(incident, channel) && isOver(incident, channel, now) ? 'resolved' : undefined;
  if (incident.acknowledged_at || isAfter(incident.muted_until, now)) return undefined;
  if (isOpenThere(channel)) return isReminderDue(incident, channel, now) ? 'reminder' : undefined;
  if (!isAfter(incident.since, channel.enabled_at) || isEarly(incident, channel, now)) return undefined;
  return channel.last_kind === null ? 'opened' : 'reopened';
}

/** Nobody could be told that nobody watched while it was so: its end is its only message. */
const isEndWanted = ({ kind }: IncidentState, channel: ChannelState): boolean =>
  isEndAwaited(channel) || (kind === 'unwatched' && channel.last_kind === null);

const isAfter = (at: Date | null, other: Date): boolean => at !== null && at.getTime() > other.getTime();

/** One that was merged goes on under its server, and one that was removed went with its site. */
function isOver(incident: IncidentState, { enabled_at: enabledAt }: ChannelState, now: Date): boolean {
  const { resolution, resolved_at: resolvedAt, is_flapping: isFlapping } = incident;
  if (!resolvedAt || resolution === 'merged' || resolution === 'removed') return false;
  const maySayAt = resolvedAt.getTime() + (isFlapping && resolution === 'recovered' ? flappingMinutes * minuteMs : 0);
  return isAfter(resolvedAt, enabledAt) && maySayAt <= now.getTime();
}

function isReminderDue({ ends_at: endsAt }: IncidentState, { last_at: lastAt }: ChannelState, now: Date): boolean {
  if (!endsAt || !lastAt) return false;
  return reminderDays.some((days) => {
    const at = endsAt.getTime() - days * dayMs;
    return lastAt.getTime() < at && at <= now.getTime();
  });
}

/** Somebody may still take charge of it before it is said here. */
function isEarly(incident: IncidentState, { delay_minutes: minutes }: ChannelState, now: Date): boolean {
  const openedAt = incident.reopened_at ?? incident.opened_at;
  return openedAt.getTime() + minutes * minuteMs > now.getTime();
}
