import { expect, it } from 'vitest';
import { readLogin, readTally } from './promise';

const ready = '   183,0 s  Vigie est prête : http://127.0.0.1:8080\n   183,0 s  Identifiant : admin@localhost\n';
const password =
  '   183,0 s  Mot de passe : s3cret-pass (montré cette fois seulement, gardé dans /x/first-admin.json)\n';

it('reads the address and the login once they are printed completely', () => {
  expect(readLogin(ready)).toBeUndefined();
  expect(readLogin(`${ready}   183,0 s  Mot de passe : s3cr`)).toBeUndefined();
  expect(readLogin(ready + password)).toEqual({
    address: 'http://127.0.0.1:8080',
    email: 'admin@localhost',
    password: 's3cret-pass',
  });
});

it('reads the tally from the last line only', () => {
  expect(readTally('✓ unit 3.0 s 3 passed, 0 failed\n12 passed, 1 failed\n')).toEqual({ passed: 12, failed: 1 });
  expect(readTally('12 passed, 0 failed\nKilled\n')).toBeUndefined();
});
