import { durationWords, momentWords, muteWords } from '@vigie/contracts/incident-words';
import type { MaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import type { Target } from './maintenance-windows.api';

export const weekdayNames = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const;

const list = new Intl.ListFormat('fr-FR');
const minuteMs = 60_000;

/** "Chaque lundi et jeudi à 03:00, pendant 30 min". */
function weeklyWords({ weekdays, at, minutes, time_zone: zone }: MaintenanceWindow, ownZone: string): string {
  const days = (weekdays ?? []).map((day) => weekdayNames[day - 1] ?? '');
  const when = days.length === 7 ? 'Chaque jour' : `Chaque ${list.format(days)}`;
  const where = zone === ownZone ? '' : ` (${zone})`;
  return `${when} à ${at}${where}, pendant ${durationWords((minutes ?? 0) * minuteMs)}`;
}

/** "Le 3 mars à 14:05, pendant 2 h". */
function onceWords({ starts_at: from, ends_at: until }: MaintenanceWindow): string {
  if (from === null || until === null) return '';
  return `Le ${momentWords(from)}, pendant ${durationWords(Date.parse(until) - Date.parse(from))}`;
}

export function windowWords(window: MaintenanceWindow, now: Date, ownZone: string): string {
  const { running_until: until, weekdays } = window;
  const when = weekdays === null ? onceWords(window) : weeklyWords(window, ownZone);
  if (until === null) return when;
  return weekdays === null ? runningWords(until, now) : `${runningWords(until, now)}. ${when}`;
}

/** Whether it ends when it is deleted; one of each week is gone for all weeks to come. */
export const isRunningOnce = ({ running_until: until, weekdays }: MaintenanceWindow): boolean =>
  until !== null && weekdays === null;

/** "En maintenance jusqu’à 14:05". */
const runningWords = (until: string, now: Date): string => `En maintenance ${muteWords(until, now)}`;

/** For which of its groups it holds, where it is not the site's own, why, and who decided it. */
export function aboutWindow(window: MaintenanceWindow, target: Pick<Target, 'id'>): string {
  const { site_id: siteId, group_id: groupId, target_name: name, note, created_by: by } = window;
  const isOwn = siteId === target.id || groupId === target.id;
  const of = name === null ? 'D’un groupe qui ne vous est pas partagé' : `Du groupe ${name}`;
  return [note, isOwn ? undefined : of, by === null ? undefined : `par ${by}`].filter(Boolean).join(' · ');
}
