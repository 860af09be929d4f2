import { expect, it } from '@jest/globals';
import { deviceOf } from './device';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox sur Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0', 'Edge sur Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari sur iOS'],
  ['curl/8.5', 'Appareil inconnu'],
  [null, 'Appareil inconnu'],
])('reads %s', (agent, expected) => {
  expect(deviceOf(agent)).toBe(expected);
});
