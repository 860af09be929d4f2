import { expect, it } from 'vitest';
import { whyNoHost } from './sshd';

it('explains in French why this machine cannot run a host', () => {
  expect(whyNoHost('sshd', 'no-such-shell')).toMatch(/^\S+ n’est pas installé$/);
});
