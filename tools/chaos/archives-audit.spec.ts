import { describe, expect, it } from 'vitest';
import { auditArchives } from './archives-audit';

const archive = { filename: 'a.wpress', size: 10, sha256: 'aa', fault: undefined };
const createdArchive = { id: '1', kind: 'backups.create', siteId: 's', filename: 'a.wpress', size: 10, sha256: null };
const stored = { filename: 'a.wpress', sha256: 'aa', object: archive };
const evidence = {
  hosts: new Map([['s', { archives: [archive], listed: ['a.wpress'] }]]),
  store: [stored],
  created: [createdArchive, { ...createdArchive, kind: 'backups.download', sha256: 'aa' }],
  deleted: new Set<string>(),
};
const findingKinds = (changes: Partial<Parameters<typeof auditArchives>[0]>) =>
  auditArchives({ ...evidence, ...changes }).map(({ kind }) => kind);
const onHost = (archives: readonly (typeof archive)[], listed: readonly string[]) => ({
  hosts: new Map([['s', { archives, listed }]]),
});

describe('archives', () => {
  it('must match their lists, unless they were deleted', () => {
    expect(findingKinds({})).toEqual([]);
    expect(findingKinds({ ...onHost([], []), deleted: new Set(['s a.wpress']) })).toEqual([]);
  });

  it.each<[string, Parameters<typeof findingKinds>[0]]>([
    ['archive listée, absente', { ...onHost([], ['a.wpress']), created: [] }],
    ['archive non listée', onHost([archive], [])],
    ['archive incomplète', onHost([{ ...archive, fault: 'cut' } as never], ['a.wpress'])],
    ['archive listée, absente', { store: [{ ...stored, object: undefined }], created: [] }],
    ['archive incomplète', { store: [{ ...stored, object: { ...archive, sha256: 'bb' } }], created: [] }],
    ['dit réussi, sans son effet', onHost([], [])],
    ['dit réussi, sans son effet', { created: [{ ...createdArchive, size: 11 }] }],
    ['dit réussi, sans son effet', { store: [] }],
  ])('can be: %s', (kind, changes) => {
    expect(findingKinds(changes)).toEqual([kind]);
  });
});
