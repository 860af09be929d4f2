import { describe, expect, it } from 'vitest';
import { parsePort } from './credentials';

describe('the port of a form', () => {
  it.each(['', ' ', '0', '65536', 'ssh', '2a', '-1'])('reads %j as 22', (text) => {
    expect(parsePort(text)).toBe(22);
  });

  it('reads any other port as it is typed', () => {
    expect([parsePort(' 2222 '), parsePort('65535')]).toEqual([2222, 65_535]);
  });
});
