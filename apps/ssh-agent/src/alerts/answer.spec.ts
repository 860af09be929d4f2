import { describe, expect, it } from 'vitest';
import { NoAnswer } from '../site-checks/request-failures';
import { aReceiver } from './alerts-for-tests';
import { toAlertAnswer, toFailedAnswer } from './answer';
import { type HttpAnswer, PostFailure } from './post';
import type { ReceiverKind } from './receiver';

const answerOf = (kind: ReceiverKind, status: number, more: Partial<HttpAnswer> = {}) =>
  toAlertAnswer({ status, headers: {}, body: '', isWhole: true, ...more }, aReceiver(kind));

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i is a success', (status) => {
    expect(answerOf('slack', status)).toEqual({
      outcome: 'sent',
      status,
      answer: null,
      error: null,
      retry_after: null,
    });
  });

  it.each([408, 425, 429, 500, 502, 503, 599])('of %i asks for another attempt', (status) => {
    const headers = { 'retry-after': '7' };
    expect(answerOf('webhook', status, { headers })).toMatchObject({ outcome: 'retry', status, retry_after: 7 });
  });

  it.each([300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 410, 413, 422])('of %i is final', (status) => {
    const headers = { 'retry-after': '7' };
    const error = expect.stringMatching(/^\p{Lu}.+\.$/u);
    expect(answerOf('webhook', status, { headers })).toMatchObject({ outcome: 'refused', error, retry_after: null });
  });

  it.each(['webhook', 'slack', 'discord', 'teams', 'google_chat', 'ntfy'] as const)(
    'by %s that was cut is a success by its status alone',
    (kind) => {
      expect(answerOf(kind, 200, { body: 'o', isWhole: false })).toMatchObject({ outcome: 'sent', answer: null });
    },
  );

  it.each<[ReceiverKind, number, RegExp]>([
    ['slack', 404, /^Slack ne connaît plus ce webhook.*créez-en un autre/],
    ['discord', 410, /^Discord ne connaît plus ce webhook/],
    ['webhook', 404, /^Le destinataire n’attend rien à cette adresse.*corrigez-la/],
    ['telegram', 404, /^Telegram ne connaît pas ce robot.*saisissez son jeton/],
    ['telegram', 401, /^Telegram refuse le jeton/],
    ['telegram', 403, /ajoutez-le à la conversation/],
    ['telegram', 400, /Vérifiez la conversation/],
    ['ntfy', 403, /^Ntfy refuse le jeton ou le sujet/],
    ['webhook', 401, /refuse l’adresse ou le secret \(HTTP\u00a0401\)/],
    ['teams', 302, /ne suit pas les redirections/],
    ['google_chat', 429, /trop de messages/],
  ])('by %s of %i says what to do', (kind, status, sentence) => {
    expect(answerOf(kind, status).error).toMatch(sentence);
  });

  it.each<[string, string, object]>([
    ['a success', '{"ok":true,"result":{}}', { outcome: 'sent', error: null }],
    ['a refusal', '{"ok":false,"error_code":403}', { outcome: 'refused', status: 200 }],
    ['a failure', '{"ok":false,"error_code":502}', { outcome: 'retry', status: 200 }],
    ['no reason', '{"ok":false}', { outcome: 'retry', error: 'Telegram a répondu sans confirmer le message.' }],
    ['an invented success', '{"ok":false,"error_code":200}', { outcome: 'retry' }],
    ['the page of a proxy', '<html>', { outcome: 'retry' }],
    ['one that was cut', '{"ok":true,"re', { outcome: 'retry' }],
  ])('by Telegram counts by its body: %s', (_, body, outcome) => {
    expect(answerOf('telegram', 200, { body })).toMatchObject(outcome);
  });
});

describe('what is shown of an answer', () => {
  const shown = (body: string, isWhole = true) => answerOf('slack', 400, { body, isWhole }).answer;

  it('is one line without invisible characters, and its beginning only', () => {
    expect(shown(' a\r\n\u0000b\t\u202Ec  d ')).toBe('a b c d');
    expect(shown('🚨'.repeat(400))).toMatch(/^🚨{149}…$/u);
    expect(shown(' \n ')).toBeNull();
  });

  it('hides the address before the text is cut, and what a cut answer may have of it', () => {
    expect(shown(`${'x'.repeat(290)} jeton-secret`)).toBe(`${'x'.repeat(290)} •••`);
    expect(shown(`a${' '.repeat(9_000)}jeton-secr`, false)).toBe('a');
    expect(shown('/services/T00/B00/jeton-secret')).toBe('•••');
  });
});

describe('no answer', () => {
  const failed = (cause: unknown, lateAfterMs: number | null = null, kind: ReceiverKind = 'slack') =>
    toFailedAnswer(new PostFailure(cause, lateAfterMs), aReceiver(kind));
  const coded = (code: string) => Object.assign(new Error('tls'), { code });

  it('asks for another attempt, and says why', () => {
    expect(failed(coded('ECONNREFUSED'))).toMatchObject({
      outcome: 'retry',
      status: null,
      error: 'Le serveur de Slack refuse la connexion.',
    });
    expect(failed(coded('ENOTFOUND')).error).toBe(
      'Le nom de Slack n’a pas d’adresse connue. Vérifiez l’adresse du canal.',
    );
    expect(failed(coded('CERT_HAS_EXPIRED'), null, 'webhook').error).toBe(
      'Le certificat du destinataire n’est pas valable\u00a0: il a expiré. Faites-le remplacer, ou changez l’adresse du canal.',
    );
    expect(failed(new AggregateError([coded('CERT_HAS_EXPIRED')])).error).toMatch(/il a expiré/);
    expect(failed(coded('ABORT_ERR'), 10_000).error).toBe('Slack n’a pas répondu en 10\u00a0s.');
  });

  it('is final where nothing may be sent', () => {
    expect(failed(new NoAnswer('Adresse non autorisée'))).toMatchObject({ outcome: 'refused' });
  });
});
