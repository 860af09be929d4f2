import { expect, it } from 'vitest';
import { aRecord, storedRecord } from '@vigie/testing/dns-records';
import { contentOf } from './canonical';
import { findEffect } from './effects';

const existing = storedRecord('r1', aRecord('www', { comment: 'ancien' }));
const none: ReadonlySet<string> = new Set();

it('detects an edit of only a comment', () => {
  const write = { action: 'edit', id: 'r1', record: { ...contentOf(existing), comment: 'neuf' } } as const;
  expect(findEffect(write, [existing], none)).toBeUndefined();
  const edited = { ...existing, comment: 'neuf' };
  expect(findEffect(write, [edited], none)).toBe(edited);
});

it('detects a creation by a record that was not known before', () => {
  const write = { action: 'create', record: contentOf(existing) } as const;
  expect(findEffect(write, [existing], none)).toBe(existing);
  expect(findEffect(write, [existing], new Set(['r1']))).toBeUndefined();
});

it('detects a deletion by the missing record', () => {
  expect(findEffect({ action: 'delete', id: 'r1' }, [], none)).toBeNull();
  expect(findEffect({ action: 'delete', id: 'r1' }, [existing], none)).toBeUndefined();
});
