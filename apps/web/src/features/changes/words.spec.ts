import { expect, it } from 'vitest';
import { installRequest, changeRequest } from './change-requests';
import {
  databaseRollbackText,
  isLicenceError,
  joinError,
  outcomeLabel,
  receivedRefusalMessage,
  refusalMessage,
  formatDisk,
  formatReceivedError,
  formatVersions,
} from './words';

const update = { kind: 'changes.update', error: null, item: null, about: null };
const refused = (detail: unknown) => ({ kind: 'http', status: 409, path: 'POST /api/x', detail });

it('joins the message of the server and the output of the host', () => {
  expect(joinError({ message: 'Refus.', stderr: ' PHP Fatal\n', stdout: '' })).toBe('Refus. | PHP Fatal');
  expect(refusalMessage(refused({ message: 'Refus.', stderr: 'a', stdout: 'b' }), '')).toBe('Refus. | a | b');
  expect(refusalMessage(refused('Refus.'), '')).toBe('Refus.');
});

it('falls back to the sentences of the specification', () => {
  const { fallback } = changeRequest('update', { kind: 'plugin', slug: 'x' });
  expect(refusalMessage(refused(undefined), fallback)).toBe('Échec de la mise à jour.');
  expect(changeRequest('update', { kind: 'core', slug: 'wordpress' }).fallback).toBe(
    'Échec de la mise à jour du core.',
  );
  expect(changeRequest('activate', { kind: 'theme', slug: 'x' }).fallback).toBe("Échec de l'activation.");
  expect(changeRequest('deactivate', { kind: 'plugin', slug: 'x' }).fallback).toBe('Échec de la désactivation.');
});

it('installs by filename and upload id, and names the file when it fails', () => {
  const upload = {
    id: 'u1',
    filename: 'vitrine.zip',
    type: 'plugin' as const,
    size: 1,
    slug: 'vitrine',
    version: null,
    name: 'Vitrine',
    requires: { wp: null, php: null },
    createdAt: '',
    sha256: '',
  };
  expect(installRequest(upload, true)).toEqual({
    verb: 'install',
    key: 'plugin vitrine',
    fields: { kind: 'plugin', filename: 'vitrine.zip', upload_id: 'u1', activate: true },
    fallback: "Échec de l'installation depuis vitrine.zip.",
  });
});

it('uses the sentence of the specification for a missing licence', () => {
  expect(joinError({ message: 'download failed', code: 'licence_required', stderr: 'x' })).toBe(
    'Mise à jour indisponible: licence requise',
  );
  expect(receivedRefusalMessage(refused('License expired'), '')).toBe('Mise à jour indisponible: licence requise');
  expect(receivedRefusalMessage(refused('Refus.'), '')).toBe('Refus.');
});

it.each([
  [{ code: 'rolled_back' }, 'failed', 'Annulée, site rétabli.'],
  [{ code: 'rolled_back', still: 'Page vide.' }, 'failed', 'Échec de la mise à jour.'],
  [{ code: 'interrupted' }, 'failed', 'Interrompu\u00a0: la version précédente est revenue.'],
  [{ code: 'not_rolled_back' }, 'failed', 'La version précédente n’a pas pu revenir.'],
  [{}, 'failed', 'Échec de la mise à jour.'],
  [{}, 'unknown', 'Issue inconnue.'],
] as const)('describes %j (%s) as %j', (error, state, word) => {
  expect(outcomeLabel({ ...update, state, error: { message: '', ...error } }).word).toBe(word);
});

it('names WordPress itself, or the installed file', () => {
  const failed = { ...update, state: 'failed' as const };
  const core = { kind: 'core' as const, slug: 'wordpress' };
  expect(outcomeLabel({ ...failed, item: core }).word).toBe('Échec de la mise à jour du core.');
  expect(outcomeLabel({ ...failed, kind: 'changes.install', about: 'vitrine.zip' }).word).toBe(
    "Échec de l'installation depuis vitrine.zip.",
  );
});

it('formats versions and disks, without unknown parts', () => {
  expect([formatVersions('1.2', '1.3'), formatVersions(null, '1.3'), formatVersions(null, null)]).toEqual([
    '1.2 → 1.3',
    '1.3',
    '—',
  ]);
  expect(formatDisk({ server_name: 'web-03', disk: '93%:/var', is_nearly_full: true })).toBe(
    '93\u00a0% de /var sur web-03',
  );
});

it.each([
  'Your license is not active',
  'Licence invalide',
  'subscription needed',
  'Expired',
  'Unauthorized',
  'HTTP 403',
  'Download failed. 401',
])('takes %j for a missing licence when there is no error code', (message) => {
  expect(isLicenceError({ message })).toBe(true);
  expect(formatReceivedError({ message })).toBe('Mise à jour indisponible: licence requise');
});

it('trusts an error code before the text, and shows other errors unchanged', () => {
  expect(isLicenceError({ message: 'Refus.', code: 'licence_required' })).toBe(true);
  expect(isLicenceError({ message: 'Forbidden', code: 'changes_forbidden' })).toBe(false);
  expect(formatReceivedError({ message: 'Plus de place.', stderr: 'ENOSPC', code: 'no_room' })).toBe(
    'Plus de place. | ENOSPC',
  );
  expect(formatReceivedError({ message: 'Version 4015 refusée.' })).toBe('Version 4015 refusée.');
  expect(formatReceivedError(null)).toBe('Échec de la mise à jour');
});

it('says whether a rollback also restores the database', () => {
  const copy = { version: '6.8', made_at: '2026-01-01T00:00:00Z' };
  expect(databaseRollbackText({ ...copy, has_tables: true }).loss).toContain('La base de données revient aussi');
  expect(databaseRollbackText({ ...copy, has_tables: false })).toEqual({
    loss: null,
    rest: expect.stringContaining('La base de données ne change pas'),
  });
});
