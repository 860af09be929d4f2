import { expect, it } from 'vitest';
import { whyNoHost } from './sshd';

it('says in French why there is no host here: an operator reads it', () => {
  expect(whyNoHost('sshd', 'no-such-shell')).toMatch(/^\S+ n’est pas installé$/);
});
