import { expect, it } from 'vitest';
import { retryAfterOf } from './retry-after';

const now = Date.parse('2026-11-29T12:00:00Z');
const secondsOf = (header: string | undefined, body = '') =>
  retryAfterOf({ headers: header === undefined ? {} : { 'retry-after': header }, body, isWhole: true }, now);

it.each<[string, string | undefined, string, number | null]>([
  ['seconds', '17', '', 17],
  ['a fraction, rounded up', '1.2', '', 2],
  ['nothing to wait for', '0', '', 1],
  ['more than an hour', '86400', '', 3_600],
  ['a date', 'Sun, 29 Nov 2026 12:02:00 GMT', '', 120],
  ['a date that has passed', 'Sun, 29 Nov 2026 11:00:00 GMT', '', 1],
  ['no number and no date', 'soon', '', null],
  ['a negative number', '-5', '', null],
  ['seconds of Discord', undefined, '{"retry_after":64.57,"global":false}', 65],
  ['seconds of Telegram', undefined, '{"ok":false,"parameters":{"retry_after":35}}', 35],
  ['both, of which the longer is obeyed', '3', '{"retry_after":5.5}', 6],
  ['a text instead of a number', undefined, '{"retry_after":"9","parameters":"x"}', null],
  ['no JSON', undefined, '<html>', null],
  ['JSON that is no object', undefined, 'null', null],
  ['nothing', undefined, '', null],
])('reads %s', (_, header, body, seconds) => {
  expect(secondsOf(header, body)).toBe(seconds);
});
