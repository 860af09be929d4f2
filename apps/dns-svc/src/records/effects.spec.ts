import { expect, it } from 'vitest';
import type { HeldRecord } from '../providers/provider';
import { contentOf } from './canonical';
import { effectOf } from './effects';

const held: HeldRecord = {
  id: 'r1',
  type: 'A',
  name: 'www.exemple.fr',
  content: '203.0.113.1',
  ttl: 300,
  priority: null,
  proxied: false,
  comment: 'ancien',
  editable: true,
  proxiable: true,
  modified_at: null,
};
const none: ReadonlySet<string> = new Set();

it('an edit of a comment alone is done once the comment is there', () => {
  const write = { action: 'edit', id: 'r1', record: { ...contentOf(held), comment: 'neuf' } } as const;
  expect(effectOf(write, [held], none)).toBeUndefined();
  const edited = { ...held, comment: 'neuf' };
  expect(effectOf(write, [edited], none)).toBe(edited);
});

it('a creation is done once a record stands there that nobody knew', () => {
  const write = { action: 'create', record: contentOf(held) } as const;
  expect(effectOf(write, [held], none)).toBe(held);
  expect(effectOf(write, [held], new Set(['r1']))).toBeUndefined();
});

it('a deletion is done once the record is gone', () => {
  expect(effectOf({ action: 'delete', id: 'r1' }, [], none)).toBeNull();
  expect(effectOf({ action: 'delete', id: 'r1' }, [held], none)).toBeUndefined();
});
