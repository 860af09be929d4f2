import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '@vigie/contracts/activity';
import { foldLogins, hasGap, joinFeed } from './feed';

const line = (minute: number, batch: string | null = null): ActivityItem => ({
  id: `line-${minute}`,
  type: 'login',
  actor_name: null,
  site_id: null,
  site_name: null,
  server_id: null,
  server_name: null,
  job_id: null,
  batch_id: batch,
  details: {},
  created_at: new Date(minute * 60_000).toISOString(),
  run: null,
});
const idsOf = (items: readonly ActivityItem[]) => items.map(({ id }) => id);

describe('the feed', () => {
  it('joins the newest and older lines without duplicates', () => {
    const joined = joinFeed([line(9), line(8), line(7)], [line(8), line(7), line(6), line(5)], 20);
    expect(idsOf(joined)).toEqual(['line-9', 'line-8', 'line-7', 'line-6', 'line-5']);
    expect(joinFeed([line(9), line(8)], [line(8), line(7)], 2)).toHaveLength(2);
  });

  it('moves a batch with new lines to the top', () => {
    const joined = joinFeed([line(9, 'run'), line(8)], [line(8), line(5, 'run'), line(4)], 20);
    expect(idsOf(joined)).toEqual(['line-9', 'line-8', 'line-4']);
  });

  it('drops a line that is missing among the newest', () => {
    expect(idsOf(joinFeed([line(9), line(7)], [line(9), line(8), line(7), line(6)], 20))).toEqual([
      'line-9',
      'line-7',
      'line-6',
    ]);
  });

  it('detects a gap between the newest and older lines', () => {
    expect(hasGap([line(9), line(8)], [line(6), line(5)])).toBe(true);
    expect(hasGap([line(9), line(6)], [line(6), line(5)])).toBe(false);
    expect(hasGap([], [line(6)])).toBe(false);
  });

  it('has one line for the logins of one person, where the latest stands', () => {
    const of = (minute: number, name: string, type: ActivityItem['type'] = 'login') => ({
      ...line(minute),
      actor_name: name,
      type,
    });
    const lines = foldLogins([
      of(9, 'Anne'),
      of(8, 'Anne', 'site_edit'),
      of(7, 'Berthe'),
      of(6, 'Anne'),
      of(5, 'Anne'),
    ]);
    expect(lines.map(({ item, times }) => [item.id, times])).toEqual([
      ['line-9', 3],
      ['line-8', 1],
      ['line-7', 1],
    ]);
  });
});
