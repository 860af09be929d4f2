import { describe, expect, it } from 'vitest';
import { auditArchives } from './archives-audit';

const whole = { filename: 'a.wpress', size: 10, sha256: 'aa', fault: undefined };
const made = { id: '1', kind: 'backups.create', siteId: 's', filename: 'a.wpress', size: 10, sha256: null };
const stored = { filename: 'a.wpress', sha256: 'aa', object: whole };
const shelves = {
  hosts: new Map([['s', { there: [whole], listed: ['a.wpress'] }]]),
  store: [stored],
  made: [made, { ...made, kind: 'backups.download', sha256: 'aa' }],
  deleted: new Set<string>(),
};
const words = (more: Partial<Parameters<typeof auditArchives>[0]>) =>
  auditArchives({ ...shelves, ...more }).map(({ what }) => what);
const onHost = (there: readonly (typeof whole)[], listed: readonly string[]) => ({
  hosts: new Map([['s', { there, listed }]]),
});

describe('archives', () => {
  it('are as they are listed, or were deleted', () => {
    expect(words({})).toEqual([]);
    expect(words({ ...onHost([], []), deleted: new Set(['s a.wpress']) })).toEqual([]);
  });

  it.each<[string, Parameters<typeof words>[0]]>([
    ['archive listée, absente', { ...onHost([], ['a.wpress']), made: [] }],
    ['archive non listée', onHost([whole], [])],
    ['archive incomplète', onHost([{ ...whole, fault: 'cut' } as never], ['a.wpress'])],
    ['archive listée, absente', { store: [{ ...stored, object: undefined }], made: [] }],
    ['archive incomplète', { store: [{ ...stored, object: { ...whole, sha256: 'bb' } }], made: [] }],
    ['dit réussi, sans son effet', onHost([], [])],
    ['dit réussi, sans son effet', { made: [{ ...made, size: 11 }] }],
    ['dit réussi, sans son effet', { store: [] }],
  ])('are %s', (what, more) => {
    expect(words(more)).toEqual([what]);
  });
});
