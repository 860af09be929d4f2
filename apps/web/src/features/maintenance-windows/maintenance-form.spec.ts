import { expect, it } from 'vitest';
import type { MaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import { emptyWindow, timesOf, windowErrors } from './maintenance-form';
import { aboutWindow, windowWords } from './words';

const local = (text: string) => new Date(text);
const times = (when: string, now: Date) => timesOf({ ...emptyWindow, when }, now, 'Europe/Paris');

it('begins now, this evening, or where the night has begun already', () => {
  const noon = local('2026-03-03T12:00');
  expect(times('hour', noon)).toEqual({ ends_at: local('2026-03-03T13:00').toISOString() });
  const morning = local('2026-03-04T06:00').toISOString();
  expect(times('night', noon)).toEqual({ starts_at: local('2026-03-03T22:00').toISOString(), ends_at: morning });
  expect(times('night', local('2026-03-03T23:10'))).toEqual({ ends_at: morning });
  expect(times('night', local('2026-03-04T05:10'))).toEqual({ ends_at: morning });
});

it.each([
  [{ when: 'weekly' }, 'Choisissez au moins un jour de la semaine.'],
  [{ when: 'weekly', days: ['1'], at: '' }, 'À renseigner.'],
  [{ when: 'dates' }, 'À renseigner.'],
  [{ when: 'dates', from: '2026-03-03T14:00', to: '2026-03-03T13:00' }, 'La maintenance doit finir après son début.'],
  [{ when: 'dates', from: '2026-03-01T14:00', to: '2026-03-02T13:00' }, 'Cette maintenance serait déjà finie.'],
  [{ when: 'dates', from: '2026-03-03T14:00', to: '2026-04-03T14:00' }, 'Une maintenance dure 30\u00a0jours au plus.'],
  [{ when: 'dates', from: '2026-03-03T14:00', to: '2026-03-04T14:00' }, undefined],
  [{ when: 'night' }, undefined],
])('checks %j', (values, message) => {
  expect(Object.values(windowErrors({ ...emptyWindow, ...values }, local('2026-03-03T12:00')))[0]).toBe(message);
});

it('says when it is, for what, and who decided it', () => {
  const now = local('2026-03-03T12:00');
  const weekly: MaintenanceWindow = {
    id: '',
    site_id: null,
    group_id: 'g',
    target_name: 'Clients',
    starts_at: null,
    ends_at: null,
    weekdays: [1, 4],
    at: '03:00',
    minutes: 30,
    time_zone: 'Europe/Paris',
    note: 'Ménage',
    created_by: 'Anne',
    created_at: now.toISOString(),
    running_until: null,
    next_at: null,
    can_delete: true,
  };
  const words = (window: MaintenanceWindow) => windowWords(window, now, 'Europe/Paris').replaceAll('\u00a0', ' ');
  expect(words(weekly)).toBe('Chaque lundi et jeudi à 03:00, pendant 30 min');
  expect(words({ ...weekly, time_zone: 'America/Martinique' })).toContain('à 03:00 (America/Martinique)');
  const once = {
    ...weekly,
    weekdays: null,
    starts_at: local('2026-03-03T11:00').toISOString(),
    ends_at: local('2026-03-03T13:00').toISOString(),
  };
  expect(words(once)).toBe('Le 3 mars à 11:00, pendant 2 h');
  expect(words({ ...once, running_until: once.ends_at })).toBe('En maintenance jusqu’à 13:00');
  expect(aboutWindow(weekly, { id: 's' })).toBe('Ménage · Du groupe Clients · par Anne');
  expect(aboutWindow({ ...weekly, note: null }, { id: 'g' })).toBe('par Anne');
});
