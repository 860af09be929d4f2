import { describe, expect, it } from 'vitest';
import { canary } from '@vigie/testing/canaries';
import { findFaults, isOverload, findSecrets } from './judge';
import type { HttpAnswer, HostileRequest } from './send';

const [name, secret] = [canary('site'), canary('password')];
const canaries = [
  { value: name, owner: 'propriétaire' },
  { value: secret, owner: undefined },
];

const request: HostileRequest = {
  kind: 'injection',
  routeKey: 'PUT /api/groups/{id}',
  sender: 'autre client',
  mayPass: false,
  method: 'PUT',
  path: '/api/groups/1',
  headers: {},
};
const refused = (detail: unknown, fields: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 404,
  text: JSON.stringify({ detail }),
  ms: 3,
  retryAfter: undefined,
  ...fields,
});
const judge = (answer: HttpAnswer, fields: Partial<HostileRequest> = {}) =>
  findFaults({ ...request, ...fields }, answer, canaries);

describe('the judge of an answer', () => {
  it('accepts a quick refusal in plain words without foreign data', () => {
    expect(judge(refused('Ce groupe n’existe pas.'))).toEqual([]);
    expect(judge(refused({ message: 'Ce groupe n’existe pas.', code: 'gone' }))).toEqual([]);
  });

  it('accepts a 503 of the readiness check only', () => {
    const unready = refused('', { status: 503, text: '{"ready":false,"services":{"dns-svc":false}}' });
    expect(judge(unready, { routeKey: 'GET /api/health/ready', mayPass: true })).toEqual([]);
    expect(judge(unready)).toContain(`erreur 503 ${unready.text}`);
    expect(judge(refused('Non.', { status: 503 }), { routeKey: 'GET /api/health/ready' })).toHaveLength(1);
  });

  it('accepts a refusal of the assistants’ protocol at its own address only', () => {
    const error = (message: string) =>
      refused('', {
        status: 400,
        text: JSON.stringify({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null }),
      });
    const mcp = { routeKey: 'POST /api/mcp' };
    expect(judge(error('Bad Request'), mcp)).toEqual([]);
    expect(judge(error('Bad Request'))).toHaveLength(1);
    expect(judge(error('x\n    at run'), mcp)).toEqual(['pile d’appels (at)']);
  });

  const faultyAnswers: [string, HttpAnswer, string][] = [
    [
      'a 500',
      refused('Une erreur inattendue est survenue.', { status: 500 }),
      'erreur 500 {"detail":"Une erreur inattendue est survenue."}',
    ],
    ['a 503 that does not mention overload', refused('Non.', { status: 503 }), 'erreur 503 {"detail":"Non."}'],
    ['a 502 without a remote party', refused('Non.', { status: 502 }), 'erreur 502 {"detail":"Non."}'],
    ['a stack', refused('Error: x\n    at run (/srv/main.ts:1:2)'), 'pile d’appels (at)'],
    ['a stack without lines', refused('x (file:///srv/main.js:1:2)'), 'pile d’appels (.js:1)'],
    [
      'a stack below the sentence',
      refused({ message: 'Non.', more: [{ why: 'x\n    at run' }] }),
      'pile d’appels (at)',
    ],
    ['words of the database', refused('relation "sites.groups" does not exist'), 'mots de la base (relation ")'],
    ['technical words', refused('Cannot read properties of undefined'), 'mots de développeur (undefined)'],
    ['no JSON', refused('', { text: '<h1>404</h1>' }), 'pas un {detail} : "<h1>404</h1>"'],
    ['an empty answer', refused('', { text: '' }), 'pas un {detail} : ""'],
    ['a detail that is not a sentence', refused(['a']), 'pas un {detail} : "{\\"detail\\":[\\"a\\"]}"'],
    ['a late refusal', refused('Non.', { ms: 5_001 }), 'réponse après 5001 ms'],
    ['no answer', refused('', { status: 0, text: '' }), 'sans réponse'],
    [
      'a granted request that had to be refused',
      refused('', { status: 200, text: '{}' }),
      'accordé à qui n’y a pas droit (200)',
    ],
    ['foreign data', refused(`Pas ${name}.`), `ce qui est à propriétaire : ${name}`],
    ['a secret', refused(`Pas ${secret}.`), `un secret : ${secret}`],
    ['a secret in base64', refused(Buffer.from(secret).toString('base64')), `un secret : ${secret}`],
  ];
  it.each(faultyAnswers)('finds %s', (_, answer, fault) => {
    expect(judge(answer)).toEqual([fault]);
  });

  it('finds a late answer to an allowed request, and a secret that its own owner reads', () => {
    const late = refused('', { status: 200, text: '{}', ms: 35_001 });
    expect(judge(late, { mayPass: true })).toEqual(['réponse après 35001 ms']);
    expect(judge(refused(secret), { sender: 'propriétaire' })).toEqual([`un secret : ${secret}`]);
    expect(judge(refused(name), { sender: 'propriétaire' })).toEqual([]);
  });

  it('accepts a search for a foreign id only if it finds nothing', () => {
    const search = (text: string) => judge(refused('', { status: 200, text }), { mayPass: true, foreign: 'f7' });
    expect(search('{"items":[],"total":0}')).toEqual([]);
    expect(search('{"items":[{"id":"f7"}]}')).toEqual(['accordé à qui n’y a pas droit (200)']);
  });

  it('accepts technical words that the request itself contains', () => {
    const path = '/api/groups/undefined';
    expect(judge(refused('Il n’y a pas de groupe «\u00a0undefined\u00a0».'), { path })).toEqual([]);
  });

  it('accepts overload, failing hosts, and closed connections after malformed requests', () => {
    const overloaded = refused('Vigie est momentanément saturée. Réessayez dans quelques secondes.', {
      status: 503,
      retryAfter: '2',
    });
    expect([isOverload(overloaded, request), judge(overloaded)]).toEqual([true, []]);
    expect(judge({ ...overloaded, retryAfter: undefined })).toEqual([expect.stringContaining('erreur 503')]);
    expect(judge({ ...overloaded, text: '' }, { method: 'HEAD' })).toEqual([]);
    expect(judge(refused('L’hôte ment.', { status: 502 }), { routeKey: 'POST /api/servers/{id}/test' })).toEqual([]);
    expect(judge(refused('Non.', { ms: 5_001 }), { routeKey: 'POST /api/servers/{id}/test' })).toEqual([]);
    const cut = refused('', { status: 0, text: '' });
    expect(judge(cut, { wire: 'NOT HTTP' })).toEqual([]);
    expect(judge({ ...cut, ms: 5_001 }, { wire: 'NOT HTTP' })).toEqual(['sans réponse']);
  });
});

it('finds secrets in a log, but not other private data', () => {
  expect(findSecrets(`{"msg":"${name}"}`, canaries)).toEqual([]);
  expect(findSecrets(`{"msg":"${secret}"}`, canaries)).toEqual([secret]);
});
