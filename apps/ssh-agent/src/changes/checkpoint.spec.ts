import { expect, it } from 'vitest';
import { Checkpoint } from './checkpoint';

const page = { url: 'https://un.fr/', code: 200, error: null, ms: 1, bytes: 9, isBlank: false, isWhole: true };
const seen = { ...page, fatal: null, isLate: false, isUnseen: false };
const checkpoint = {
  php: '/usr/bin/php',
  path: '/srv/un',
  home: '/home/deploy',
  begun_at: '2026-01-01T00:00:00.000Z',
  baseline: { home: seen, login: seen },
  problem: null,
  verdict: null,
  tries: 0,
  back_at: null,
};

it('makes the first check again where an earlier version did not store how the operation ended', () => {
  const looked = { at: 1, logs: [] };
  expect(Checkpoint.parse({ ...checkpoint, looked }).looked).toBeNull();
  const end = { is: 'done', from: '1.0', to: '1.1', name: 'Vitrine', status: 'active', rollbackCopy: null };
  expect(Checkpoint.parse({ ...checkpoint, looked: { ...looked, end, starts: true } }).looked).toMatchObject({ end });
});
