import { expect, it } from 'vitest';
import { describeHash } from './accounts';

it('reads the parameters of a hash', () => {
  expect(describeHash('$argon2id$v=19$m=19456,t=2,p=1$c2Vs$ZW1wcmVpbnRl')).toBe(
    'Argon2id\u00a0: 19 Mio, 2 passes, 1 voie',
  );
});
