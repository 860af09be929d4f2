import { describe, expect, it } from 'vitest';
import { parseSshTarget } from './address';

describe('readTarget', () => {
  it.each([
    ['ssh -p 2222 deploy@web-03.exemple.fr', { host: 'web-03.exemple.fr', port: '2222', user: 'deploy' }],
    ['ssh deploy@web-03 -p 2222', { host: 'web-03', port: '2222', user: 'deploy' }],
    ['ssh -p2222 -i ~/.ssh/id_ed25519 -l deploy web-03', { host: 'web-03', port: '2222', user: 'deploy' }],
    ['ssh -o StrictHostKeyChecking=no -A web-03', { host: 'web-03' }],
    ['ssh web-03 uptime', { host: 'web-03' }],
    [' deploy@web-03:2222 ', { host: 'web-03', port: '2222', user: 'deploy' }],
    ['web-03:22', { host: 'web-03', port: '22' }],
    ['nom@domaine@web-03', { host: 'web-03', user: 'nom@domaine' }],
    ['ssh://deploy@web-03:2222/', { host: 'web-03', port: '2222', user: 'deploy' }],
    ['ssh://deploy:secret@web-03', { host: 'web-03', user: 'deploy' }],
    ['root@[2001:db8::1]:2222', { host: '2001:db8::1', port: '2222', user: 'root' }],
    ['root@2001:db8::1', { host: '2001:db8::1', user: 'root' }],
  ])('reads %s', (text, target) => {
    expect(parseSshTarget(text)).toEqual(target);
  });

  it.each(['web-03.exemple.fr', '10.0.0.1', '2001:db8::1', 'deux mots', '', 'ssh ', '@', 'http://web-03'])(
    'reads no target in %j',
    (text) => {
      expect(parseSshTarget(text)).toBeUndefined();
    },
  );
});
