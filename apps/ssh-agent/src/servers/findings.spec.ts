import { describe, expect, it } from 'vitest';
import {
  childFinding,
  clockFinding,
  diskFinding,
  filesFinding,
  phpFinding,
  parseHostValues,
  shellFinding,
} from './findings';

const values = (...lines: [string, string][]) =>
  parseHostValues(lines.map(([word, value]) => `${word}\t${value}`).join('\n'));

describe('the output of a host', () => {
  it('is bounded, and shown without control characters', () => {
    const many = parseHostValues('php\t/usr/bin/php\n'.repeat(10_000));
    expect(many.get('php')?.length).toBeLessThanOrEqual(200);
    const { message } = shellFinding(values(['user', 'root\u001b]0;x\u0007'], ['system', 'Linux a 6 x86']));
    expect(message).toBe('Les commandes s’exécutent en tant que root ]0;x sur Linux a 6 x86.');
  });

  it('names every PHP that can be used, and none that cannot', () => {
    const recent = phpFinding(
      values(['php', '8.2.20 cli /usr/bin/php8.2'], ['php', '5.6.40 cli /opt/php56'], ['php', '8.3.1 fpm-fcgi /opt/x']),
    );
    expect(recent).toEqual({
      state: 'ok',
      message: 'PHP en ligne de commande\u00a0: 8.2.20 (/usr/bin/php8.2).',
      remedy: null,
    });
    const old = phpFinding(values(['php', '7.3.33 cli /usr/bin/php'], ['php', '/usr/bin/php-broken']));
    expect(old).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('/usr/bin/php-broken (ne répond pas)'),
    });
    expect(phpFinding(values(['php', 'Warning: x y /usr/bin/php'])).state).toBe('warning');
    expect(phpFinding(values()).message).toBe('Aucun PHP en ligne de commande n’a été trouvé.');
  });

  it.each([
    ['/dev/sda1 103081248 93081248 10000000 91% /', 'warning'],
    ['/dev/sda1 10308124 9308124 1000000 50% /home', 'warning'],
    ['/dev/sda1 103081248 3081248 100000000 4% /srv/a b', 'ok'],
    ['a very/long device name\u0000 1 1', 'warning'],
  ])('judges the free room of %j as %s', (line, state) => {
    expect(diskFinding(values(['disk', line])).state).toBe(state);
  });

  it('warns of a file system without free inodes', () => {
    const room = '/dev/sda1 103081248 3081248 100000000 4% /';
    expect(diskFinding(values(['disk', room], ['inodes', '/dev/sda1 100 99 1 99% /'])).message).toContain('inodes');
    expect(diskFinding(values(['disk', room], ['inodes', 'none - - - - /'])).message).toBe(
      '95,4\u00a0Gio libres sur /.',
    );
  });

  it.each([
    [1_000, 'ok'],
    [1_060, 'ok'],
    [1_061, 'warning'],
    [900, 'warning'],
  ])('compares a clock of %d with ours of 1000: %s', (time, state) => {
    expect(clockFinding(values(['time', String(time)]), 1_000_000).state).toBe(state);
  });

  it('warns when the clock cannot be read or no file can be written', () => {
    expect(clockFinding(values(['time', 'now']), 0).message).toBe('L’heure du serveur n’a pas pu être lue.');
    expect(filesFinding(values(['nofiles', 'mktemp: Read-only file system'])).state).toBe('warning');
    expect([true, false, undefined].map((lives) => childFinding(lives).state)).toEqual(['ok', 'warning', 'warning']);
  });
});
