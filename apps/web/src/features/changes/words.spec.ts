import { expect, it } from 'vitest';
import { installOrder, orderOf } from './orders';
import {
  databaseOnReturn,
  isOfLicence,
  joined,
  outcomeOf,
  receivedRefusal,
  refusalOf,
  spellDisk,
  spellReceived,
  spellVersions,
} from './words';

const update = { kind: 'changes.update', error: null, item: null, about: null };
const refused = (detail: unknown) => ({ kind: 'http', status: 409, path: 'POST /api/x', detail });

it('joins what the server and the host said', () => {
  expect(joined({ message: 'Refus.', stderr: ' PHP Fatal\n', stdout: '' })).toBe('Refus. | PHP Fatal');
  expect(refusalOf(refused({ message: 'Refus.', stderr: 'a', stdout: 'b' }), '')).toBe('Refus. | a | b');
  expect(refusalOf(refused('Refus.'), '')).toBe('Refus.');
});

it('has the sentences of the catalogue where nobody said anything', () => {
  const { fallback } = orderOf('update', { kind: 'plugin', slug: 'x' });
  expect(refusalOf(refused(undefined), fallback)).toBe('Échec de la mise à jour.');
  expect(orderOf('update', { kind: 'core', slug: 'wordpress' }).fallback).toBe('Échec de la mise à jour du core.');
  expect(orderOf('activate', { kind: 'theme', slug: 'x' }).fallback).toBe("Échec de l'activation.");
  expect(orderOf('deactivate', { kind: 'plugin', slug: 'x' }).fallback).toBe('Échec de la désactivation.');
});

it('installs by the name of the file and which of that name it is, and says which one failed', () => {
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
  expect(installOrder(upload, true)).toEqual({
    verb: 'install',
    kind: 'plugin',
    key: 'plugin vitrine',
    body: { filename: 'vitrine.zip', upload_id: 'u1', activate: true },
    fallback: "Échec de l'installation depuis vitrine.zip.",
  });
});

it('says of a licence what the specification says, whoever refuses', () => {
  expect(joined({ message: 'download failed', code: 'licence_required', stderr: 'x' })).toBe(
    'Mise à jour indisponible: licence requise',
  );
  expect(receivedRefusal(refused('License expired'), '')).toBe('Mise à jour indisponible: licence requise');
  expect(receivedRefusal(refused('Refus.'), '')).toBe('Refus.');
});

it.each([
  [{ code: 'rolled_back' }, 'failed', 'La version précédente est revenue.'],
  [{ code: 'interrupted' }, 'failed', 'Interrompu\u00a0: la version précédente est revenue.'],
  [{ code: 'not_rolled_back' }, 'failed', 'La version précédente n’a pas pu revenir.'],
  [{}, 'failed', 'Échec de la mise à jour.'],
  [{}, 'unknown', 'Issue inconnue.'],
] as const)('of %j, %s it says %j', (error, state, word) => {
  expect(outcomeOf({ ...update, state, error: { message: '', ...error } }).word).toBe(word);
});

it('names WordPress itself, and the file that was installed', () => {
  const failed = { ...update, state: 'failed' as const };
  const core = { kind: 'core' as const, slug: 'wordpress' };
  expect(outcomeOf({ ...failed, item: core }).word).toBe('Échec de la mise à jour du core.');
  expect(outcomeOf({ ...failed, kind: 'changes.install', about: 'vitrine.zip' }).word).toBe(
    "Échec de l'installation depuis vitrine.zip.",
  );
});

it('spells versions and disks, and nothing that is not known', () => {
  expect([spellVersions('1.2', '1.3'), spellVersions(null, '1.3'), spellVersions(null, null)]).toEqual([
    '1.2 → 1.3',
    '1.3',
    '—',
  ]);
  expect(spellDisk({ server_name: 'web-03', disk: '93%:/var', is_nearly_full: true })).toBe(
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
])('takes %j for a want of a licence where nobody knows better', (message) => {
  expect(isOfLicence({ message })).toBe(true);
  expect(spellReceived({ message })).toBe('Mise à jour indisponible: licence requise');
});

it('believes the code of a failure before its words, and shows others as they were received', () => {
  expect(isOfLicence({ message: 'Refus.', code: 'licence_required' })).toBe(true);
  expect(isOfLicence({ message: 'Forbidden', code: 'changes_forbidden' })).toBe(false);
  expect(spellReceived({ message: 'Plus de place.', stderr: 'ENOSPC', code: 'no_room' })).toBe(
    'Plus de place. | ENOSPC',
  );
  expect(spellReceived({ message: 'Version 4015 refusée.' })).toBe('Version 4015 refusée.');
  expect(spellReceived(null)).toBe('Échec de la mise à jour');
});

it('says of a copy what becomes of the database, by what lies in it', () => {
  const copy = { version: '6.8', made_at: '2026-01-01T00:00:00Z' };
  expect(databaseOnReturn({ ...copy, has_tables: true }).loss).toContain('La base de données revient aussi');
  expect(databaseOnReturn({ ...copy, has_tables: false })).toEqual({
    loss: null,
    rest: expect.stringContaining('La base de données ne change pas'),
  });
});
