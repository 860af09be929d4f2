import {
  type CreateMaintenanceWindow,
  endsTooEarly,
  maxMaintenanceMs,
  noWeekday,
  tooLong,
  wouldBeOver,
} from '@vigie/contracts/maintenance-windows';
import type { FormErrors } from '../../kit/form/errors';

export type WindowValues = {
  when: string;
  from: string;
  to: string;
  days: string[];
  at: string;
  minutes: string;
  note: string;
};

export const whenChoices = [
  { value: 'hour', label: 'Pendant 1\u00a0heure' },
  { value: 'two-hours', label: 'Pendant 2\u00a0heures' },
  { value: 'night', label: 'Cette nuit, de 22:00 à 6:00' },
  { value: 'dates', label: 'D’une date à une autre' },
  { value: 'weekly', label: 'Chaque semaine' },
];

export const emptyWindow: WindowValues = {
  when: 'hour',
  from: '',
  to: '',
  days: [],
  at: '03:00',
  minutes: '60',
  note: '',
};

const hourMs = 3_600_000;
const [evening, morning] = [22, 6];

/** The night that is near: one that has begun already runs from now on. */
function nightFrom(now: Date): { starts_at?: string; ends_at: string } {
  const isBeforeMorning = now.getHours() < morning;
  const end = new Date(now);
  end.setDate(end.getDate() + (isBeforeMorning ? 0 : 1));
  end.setHours(morning, 0, 0, 0);
  const start = new Date(now);
  start.setHours(evening, 0, 0, 0);
  const hasBegun = isBeforeMorning || start <= now;
  return { ...(!hasBegun && { starts_at: start.toISOString() }), ends_at: end.toISOString() };
}

type Times = Omit<CreateMaintenanceWindow, 'site_id' | 'group_id' | 'note'>;

/** When it is, for the server; the fields of dates must be valid. */
export function timesOf(values: WindowValues, now: Date, timeZone: string): Times {
  const after = (ms: number) => ({ ends_at: new Date(now.getTime() + ms).toISOString() });
  if (values.when === 'hour') return after(hourMs);
  if (values.when === 'two-hours') return after(2 * hourMs);
  if (values.when === 'night') return nightFrom(now);
  if (values.when === 'dates')
    return { starts_at: new Date(values.from).toISOString(), ends_at: new Date(values.to).toISOString() };
  return { weekdays: values.days.map(Number), at: values.at, minutes: Number(values.minutes), time_zone: timeZone };
}

export function windowErrors(values: WindowValues, now: Date): FormErrors<WindowValues> {
  if (values.when === 'weekly') {
    return {
      ...(values.days.length === 0 && { form: noWeekday }),
      ...(values.at === '' && { at: 'À renseigner.' }),
    };
  }
  if (values.when !== 'dates') return {};
  const [from, to] = [Date.parse(values.from), Date.parse(values.to)];
  if (Number.isNaN(from)) return { from: 'À renseigner.' };
  if (Number.isNaN(to)) return { to: 'À renseigner.' };
  if (to <= from) return { to: endsTooEarly };
  if (to <= now.getTime()) return { to: wouldBeOver };
  return to - from > maxMaintenanceMs ? { to: tooLong } : {};
}
