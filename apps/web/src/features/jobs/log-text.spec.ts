import { expect, it } from 'vitest';
import { colouredParts, logFileName, matchesText, escapeControls, formatLog } from './log-text';

const job = {
  id: '0192f0c1-7e57-7000-8000-000000000001',
  kind: 'servers.test',
  about: null,
  item: null,
  site_id: null,
  site_name: null,
  server_id: null,
  server_name: 'web/03 été',
  state: 'failed' as const,
  progress: null,
  error: { message: 'Refus.', stderr: 'a\n\u001b]0;b' },
  created_at: '2026-11-21T20:00:00.000Z',
  started_at: null,
  finished_at: null,
  attempts: 1,
  actor_name: null,
  batch_id: null,
  retry_of: null,
  redone_by: null,
  acknowledged: null,
  targets: null,
  may_act: true,
  is_cancelling: false,
  counts: null,
  log: [{ seq: 1, at: '2026-11-21T20:00:01.000Z', text: 'bon\u0007jour' }],
  result: null,
};

it.each([
  ['\u001b[31;1mErreur\u001b[0m', 'Erreur'],
  ['\u001b]0;titre\u0007', '\\x1b]0;titre\\x07'],
  ['\u001b[2Jvide', '\\x1b[2Jvide'],
  ['a\tb\rc', 'a\tb\\x0dc'],
  ['\u202egpj.exe', '\\u202egpj.exe'],
  ['déjà vu 🙂', 'déjà vu 🙂'],
])('shows %j as %j', (text, plain) => {
  expect(escapeControls(text)).toBe(plain);
});

it('keeps the colours of a host as those of the interface', () => {
  const plain = { tone: undefined, isBold: false };
  expect(colouredParts('a \u001b[1;31mb\u001b[0m c\u001b[92md\u001b[39m\u001b[2Je')).toEqual([
    { text: 'a ', isBold: false },
    { text: 'b', tone: 'danger', isBold: true },
    { ...plain, text: ' c' },
    { text: 'd', tone: 'ok', isBold: false },
    { ...plain, text: '\\x1b[2Je' },
  ]);
});

it('ignores accents and case in a search', () => {
  expect(matchesText('Échec à l’étape 3', ' ECHEC')).toBe(true);
  expect(matchesText('Échec', 'succès')).toBe(false);
});

it('formats a log as a file that is safe to print in a terminal', () => {
  const text = formatLog(job);
  expect(text).toContain('Test de connexion · web/03 été\u00a0: Échec\n');
  expect(text).toContain('\na\n\\x1b]0;b\n\n2026-11-21T20:00:01.000Z bon\\x07jour\n');
  expect(logFileName(job)).toBe('servers.test-web-03-été-0192f0c1-7e57.log');
});
