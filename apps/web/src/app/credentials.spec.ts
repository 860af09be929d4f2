import { describe, expect, it } from 'vitest';
import { portOf } from './access';

describe('the port of a form', () => {
  it.each(['', ' ', '0', '65536', 'ssh', '2a', '-1'])('reads %j as 22', (text) => {
    expect(portOf(text)).toBe(22);
  });

  it('reads any other port as it is typed', () => {
    expect([portOf(' 2222 '), portOf('65535')]).toEqual([2222, 65_535]);
  });
});
