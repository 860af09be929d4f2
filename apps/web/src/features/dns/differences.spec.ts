import { expect, it } from 'vitest';
import { conflictOf, fieldsAmong, fieldsBetween, versionsOf } from './differences';

const content = {
  type: 'A',
  name: 'www.exemple.fr',
  content: '203.0.113.10',
  ttl: 3600,
  priority: null,
  proxied: false,
  comment: null,
};
const record = {
  ...content,
  id: 'a'.repeat(32),
  display_name: 'www',
  version: 'v1',
  editable: true,
  proxiable: true,
  modified_at: null,
};
const detail = { message: 'Changé.', code: 'record_changed', loaded: null, current: record, wanted: content };
const refusal = { kind: 'http', path: '/', status: 409, detail };

it('names the fields in which two versions differ', () => {
  expect(fieldsBetween(content, content)).toEqual([]);
  expect(fieldsBetween(content, { ...content, ttl: 300, proxied: true })).toEqual(['ttl', 'proxied']);
});

it('shows the fields that differ between versions, or content and TTL where none differs', () => {
  expect(fieldsAmong([content, { ...content, content: '198.51.100.7' }, { ...content, ttl: 60 }])).toEqual([
    'content',
    'ttl',
  ]);
  expect(fieldsAmong([content, null, content])).toEqual(['content', 'ttl']);
});

it('tells a conflict from any other refusal', () => {
  expect(conflictOf(refusal)?.current?.content).toBe('203.0.113.10');
  expect(conflictOf({ ...refusal, status: 400 })).toBeUndefined();
  expect(conflictOf({ ...refusal, detail: 'Cette zone a déjà un site.' })).toBeUndefined();
  expect(conflictOf(undefined)).toBeUndefined();
});

it('falls back to the opened record where the server no longer has the loaded version', () => {
  const conflict = conflictOf(refusal);
  const records = conflict && versionsOf(conflict, { ...record, version: 'v0' }).map((one) => one.record);
  expect(records).toEqual([{ ...record, version: 'v0' }, record, content]);
});
