import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { tarGz } from './tar';

const tar = (option: string, input: Buffer) => spawnSync('tar', [option, '-'], { input, encoding: 'utf8' });

it('writes an archive that tar reads', () => {
  const files = new Map([
    ['a.txt', 'é'.repeat(300)],
    ['logs/b.log', ''],
  ]);
  const archive = tarGz('vigie-support', files, new Date('2026-11-22T10:00:00Z'));
  expect(tar('-tzf', archive)).toMatchObject({ status: 0, stdout: 'vigie-support/a.txt\nvigie-support/logs/b.log\n' });
  expect(tar('-xzOf', archive).stdout).toBe('é'.repeat(300));
});
