import { expect, it } from 'vitest';
import type { AlertMessage } from '@vigie/contracts/alerts';
import { decodeWords } from '@vigie/testing/alert-receivers/faults';
import { aMessage } from '@vigie/testing/sample-alerts';
import { aReceiver, attempt } from '../alerts-for-tests';
import { ntfyRequest } from './ntfy';

const headersOf = (changes: Partial<AlertMessage> = {}, secret: string | null = null) =>
  ntfyRequest(aMessage(changes), aReceiver('ntfy', { secret }), attempt).headers;

it('has a title that any server can read', () => {
  const title = `Élodie 🚨 ${'très '.repeat(30)}long`;
  const header = headersOf({ title, severity: null })['title'] ?? '';
  expect(header.split(' ').every((word) => word.length <= 75)).toBe(true);
  expect(decodeWords(header)).toBe(title);
  expect(headersOf({ title: 'plain', severity: null })['title']).toBe('plain');
});

it('encodes a title that looks like an encoded word, which would be decoded', () => {
  const title = '=?UTF-8?B?ZXZpbA==?=';
  expect(decodeWords(headersOf({ title, severity: null })['title'] ?? '')).toBe(title);
});

it('never ends a line inside of a header', () => {
  const headers = headersOf({ title: 'a\r\nAuthorization: x', link: 'https://vigie.example/\r\nX: y' });
  for (const value of Object.values(headers)) expect(value).not.toMatch(/[\r\n]/);
});

it('is as urgent as the incident, and no longer once it has ended', () => {
  const priorityOf = (changes: Partial<AlertMessage>) => headersOf(changes)['priority'];
  expect(priorityOf({ severity: 'critical' })).toBe('5');
  expect(priorityOf({ severity: 'warning' })).toBe('4');
  expect(priorityOf({ severity: 'info' })).toBe('3');
  expect(priorityOf({ severity: null })).toBe('3');
  expect(priorityOf({ kind: 'resolved' })).toBe('3');
  expect(headersOf({ kind: 'resolved' })['tags']).toBe('white_check_mark');
});

it('shows its token if it has one', () => {
  expect(headersOf({}, 'tk_secret')).toMatchObject({ authorization: 'Bearer tk_secret' });
  expect(headersOf()).not.toHaveProperty('authorization');
});
