import { createBackup } from '@vigie/contracts/backups';
import { editSite, listSites, trustSiteKey } from '@vigie/contracts/sites';
import { expect, it } from 'vitest';
import { allows, isOwn, sharedLabel } from './roles';

it('allows a call from its role on, and a call without a role to the owner alone', () => {
  const calls = [listSites, createBackup, editSite, trustSiteKey];
  const allowed = (['viewer', 'operator', 'manager', 'owner'] as const).map((role) =>
    calls.map((call) => allows({ role }, call)),
  );
  expect(allowed).toEqual([
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, true],
  ]);
  expect([isOwn({ role: 'manager' }), isOwn({ role: 'owner' })]).toEqual([false, true]);
});

it('names who shared a site or group', () => {
  expect(sharedLabel({ shared_by: 'Anne Martin' })).toBe('Partagé par Anne Martin');
  expect([sharedLabel({ shared_by: null }), sharedLabel({})]).toEqual([undefined, undefined]);
});
