import { describe, expect, it } from 'vitest';
import { type IncidentState, type ChannelState, wantedAlert } from './wanted-alert';

const at = (text: string) => new Date(`2026-03-03T${text}Z`);
const now = at('12:00:00');

const incident = (fields: Partial<IncidentState> = {}): IncidentState => ({
  kind: 'outage',
  severity: 'critical',
  since: at('11:50:00'),
  opened_at: at('11:50:00'),
  reopened_at: null,
  resolved_at: null,
  resolution: null,
  acknowledged_at: null,
  muted_until: null,
  is_flapping: false,
  ends_at: null,
  ...fields,
});

const channel = (fields: Partial<ChannelState> = {}): ChannelState => ({
  min_severity: 'warning',
  is_quiet: false,
  delay_minutes: 0,
  enabled_at: at('08:00:00'),
  last_kind: null,
  last_at: null,
  has_open_part: false,
  ...fields,
});

const opened = { last_kind: 'opened' as const, last_at: at('11:50:00') };
const over = { resolved_at: at('11:59:00'), resolution: 'recovered' as const };

describe('an incident that lasts', () => {
  it.each([
    ['is said once', {}, {}, 'opened'],
    ['is not said again', {}, opened, undefined],
    [
      'is said again after its end was',
      { reopened_at: at('11:58:00') },
      { ...opened, last_kind: 'resolved' },
      'reopened',
    ],
    ['is said even if a part of it was', {}, { has_open_part: true }, 'opened'],
    [
      'is said again even if a part of it was',
      { reopened_at: at('11:58:00') },
      { ...opened, last_kind: 'resolved', has_open_part: true },
      'reopened',
    ],
    ['goes on where its end was never said', { reopened_at: at('11:58:00') }, opened, undefined],
    ['is not severe enough', { severity: 'info' }, {}, undefined],
    ['is for channels of its severity', { severity: 'warning' }, { min_severity: 'critical' }, undefined],
    ['is somebody’s already', { acknowledged_at: at('11:55:00') }, {}, undefined],
    ['is muted', { muted_until: at('12:30:00') }, {}, undefined],
    ['was muted', { muted_until: at('11:59:00') }, {}, 'opened'],
    ['is older than the channel', {}, { enabled_at: at('11:55:00') }, undefined],
    ['is older than the channel, but grew', { since: at('11:56:00') }, { enabled_at: at('11:55:00') }, 'opened'],
    ['waits for the quiet hours to end', { severity: 'warning' }, { is_quiet: true }, undefined],
    ['is critical in the quiet hours', {}, { is_quiet: true }, 'opened'],
    ['waits for somebody to take charge', {}, { delay_minutes: 15 }, undefined],
    ['was left alone for too long', {}, { delay_minutes: 10 }, 'opened'],
    ['is left alone again', { reopened_at: at('11:58:00') }, { delay_minutes: 10 }, undefined],
  ] as const)('%s', (_, fields, of, kind) => {
    expect(wantedAlert(incident(fields), channel(of), now)).toBe(kind);
  });
});

describe('an incident that ended', () => {
  it.each([
    ['is said where it was said', over, opened, 'resolved'],
    ['is not said where it was not', over, {}, undefined],
    ['is said where a part of it was', over, { has_open_part: true }, 'resolved'],
    [
      'is said where a part of it was since',
      over,
      { ...opened, last_kind: 'resolved', has_open_part: true },
      'resolved',
    ],
    ['is said once', over, { ...opened, last_kind: 'resolved' }, undefined],
    ['is said after a reminder', over, { ...opened, last_kind: 'reminder' }, 'resolved'],
    ['may open again at any moment', { ...over, is_flapping: true }, opened, undefined],
    ['no longer opens again', { ...over, resolved_at: at('11:30:00'), is_flapping: true }, opened, 'resolved'],
    ['was closed by somebody', { ...over, resolution: 'closed', is_flapping: true }, opened, 'resolved'],
    ['goes on under its server', { ...over, resolution: 'merged' }, opened, undefined],
    ['went with its site', { ...over, resolution: 'removed' }, opened, undefined],
    ['waits for the quiet hours to end', { ...over, severity: 'warning' }, { ...opened, is_quiet: true }, undefined],
    ['was known once it was over', { ...over, kind: 'unwatched' }, { delay_minutes: 15, is_quiet: true }, 'resolved'],
    ['was known once it was over, and said', { ...over, kind: 'unwatched' }, { last_kind: 'resolved' }, undefined],
    ['was over before the channel was on', { ...over, kind: 'unwatched' }, { enabled_at: now }, undefined],
    ['ended while the channel was off', over, { ...opened, enabled_at: at('11:59:30') }, undefined],
  ] as const)('%s', (_, fields, of, kind) => {
    expect(wantedAlert(incident(fields), channel(of), now)).toBe(kind);
  });
});

describe('a certificate that ends', () => {
  const endsIn = (days: number) => ({
    severity: 'warning' as const,
    ends_at: new Date(now.getTime() + days * 86_400_000),
  });
  const saidDaysAgo = (days: number) => ({ ...opened, last_at: new Date(now.getTime() - days * 86_400_000) });

  it.each([
    ['is said again seven days before', endsIn(6.99), saidDaysAgo(14), 'reminder'],
    ['not earlier', endsIn(7.01), saidDaysAgo(14), undefined],
    ['once', endsIn(6), saidDaysAgo(0.5), undefined],
    ['and on the last day', endsIn(0.9), { ...saidDaysAgo(6), last_kind: 'reminder' }, 'reminder'],
    ['unless somebody cares', { ...endsIn(0.9), acknowledged_at: at('08:00:00') }, saidDaysAgo(6), undefined],
    ['or in quiet hours', endsIn(0.9), { ...saidDaysAgo(6), is_quiet: true }, undefined],
  ] as const)('%s', (_, fields, of, kind) => {
    expect(wantedAlert(incident(fields), channel(of), now)).toBe(kind);
  });
});
