import { expect, it } from 'vitest';
import { hostUnavailableReason } from './sshd';

it('explains in French why this machine cannot run a host', () => {
  expect(hostUnavailableReason('sshd', 'no-such-shell')).toMatch(/^\S+ n’est pas installé$/);
});
