import { describe, expect, it } from 'vitest';
import { canary } from '@vigie/testing/canaries';
import { faultsOf, isOverload, secretsIn } from './judge';
import type { Answered, Case } from './send';

const [name, secret] = [canary('site'), canary('password')];
const planted = [
  { value: name, owner: 'propriétaire' },
  { value: secret, owner: undefined },
];

const sent: Case = {
  kind: 'injection',
  aim: 'PUT /api/groups/{id}',
  who: 'autre client',
  mayPass: false,
  method: 'PUT',
  path: '/api/groups/1',
  headers: {},
};
const refused = (detail: unknown, fields: Partial<Answered> = {}): Answered => ({
  status: 404,
  text: JSON.stringify({ detail }),
  ms: 3,
  retryAfter: undefined,
  ...fields,
});
const judge = (answer: Answered, more: Partial<Case> = {}) => faultsOf({ ...sent, ...more }, answer, planted);

describe('the judge of an answer', () => {
  it('has nothing to say about a refusal in plain words, quick and about nobody else', () => {
    expect(judge(refused('Ce groupe n’existe pas.'))).toEqual([]);
    expect(judge(refused({ message: 'Ce groupe n’existe pas.', code: 'gone' }))).toEqual([]);
  });

  it('takes it for an answer that somebody is not ready, of the question that asks for it', () => {
    const unready = refused('', { status: 503, text: '{"ready":false,"services":{"dns-svc":false}}' });
    expect(judge(unready, { aim: 'GET /api/health/ready', mayPass: true })).toEqual([]);
    expect(judge(unready)).toContain(`erreur 503 ${unready.text}`);
    expect(judge(refused('Non.', { status: 503 }), { aim: 'GET /api/health/ready' })).toHaveLength(1);
  });

  const wrong: [string, Answered, string][] = [
    [
      'a 500',
      refused('Une erreur inattendue est survenue.', { status: 500 }),
      'erreur 500 {"detail":"Une erreur inattendue est survenue."}',
    ],
    ['a 503 that does not say that it is too much', refused('Non.', { status: 503 }), 'erreur 503 {"detail":"Non."}'],
    ['a 502 of nobody far away', refused('Non.', { status: 502 }), 'erreur 502 {"detail":"Non."}'],
    ['a stack', refused('Error: x\n    at run (/srv/main.ts:1:2)'), 'pile d’appels (at)'],
    ['a stack without lines', refused('x (file:///srv/main.js:1:2)'), 'pile d’appels (.js:1)'],
    [
      'a stack below the sentence',
      refused({ message: 'Non.', more: [{ why: 'x\n    at run' }] }),
      'pile d’appels (at)',
    ],
    ['words of the database', refused('relation "sites.groups" does not exist'), 'mots de la base (relation ")'],
    ['words of a developer', refused('Cannot read properties of undefined'), 'mots de développeur (undefined)'],
    ['no JSON', refused('', { text: '<h1>404</h1>' }), 'pas un {detail} : "<h1>404</h1>"'],
    ['an empty answer', refused('', { text: '' }), 'pas un {detail} : ""'],
    ['a detail that is no sentence', refused(['a']), 'pas un {detail} : "{\\"detail\\":[\\"a\\"]}"'],
    ['a late refusal', refused('Non.', { ms: 5_001 }), 'réponse après 5001 ms'],
    ['no answer', refused('', { status: 0, text: '' }), 'sans réponse'],
    [
      'what it gives to whoever has no right to it',
      refused('', { status: 200, text: '{}' }),
      'accordé à qui n’y a pas droit (200)',
    ],
    ['what belongs to somebody else', refused(`Pas ${name}.`), `ce qui est à propriétaire : ${name}`],
    ['a secret', refused(`Pas ${secret}.`), `un secret : ${secret}`],
    ['a secret in base64', refused(Buffer.from(secret).toString('base64')), `un secret : ${secret}`],
  ];
  it.each(wrong)('finds %s', (_, answer, fault) => {
    expect(judge(answer)).toEqual([fault]);
  });

  it('finds a late answer to whoever may have it, and a secret that its own owner reads', () => {
    const late = refused('', { status: 200, text: '{}', ms: 35_001 });
    expect(judge(late, { mayPass: true })).toEqual(['réponse après 35001 ms']);
    expect(judge(refused(secret), { who: 'propriétaire' })).toEqual([`un secret : ${secret}`]);
    expect(judge(refused(name), { who: 'propriétaire' })).toEqual([]);
  });

  it('lets a search for what is somebody else’s find nothing, and no more than that', () => {
    const found = (text: string) => judge(refused('', { status: 200, text }), { mayPass: true, foreign: 'f7' });
    expect(found('{"items":[],"total":0}')).toEqual([]);
    expect(found('{"items":[{"id":"f7"}]}')).toEqual(['accordé à qui n’y a pas droit (200)']);
  });

  it('lets words be said again to whoever said them', () => {
    const path = '/api/groups/undefined';
    expect(judge(refused('Il n’y a pas de groupe «\u00a0undefined\u00a0».'), { path })).toEqual([]);
  });

  it('knows overload, hosts that fail, and doors that close before what is no request', () => {
    const full = refused('Vigie est momentanément saturée. Réessayez dans quelques secondes.', {
      status: 503,
      retryAfter: '2',
    });
    expect([isOverload(full, sent), judge(full)]).toEqual([true, []]);
    expect(judge({ ...full, retryAfter: undefined })).toEqual([expect.stringContaining('erreur 503')]);
    expect(judge({ ...full, text: '' }, { method: 'HEAD' })).toEqual([]);
    expect(judge(refused('L’hôte ment.', { status: 502 }), { aim: 'POST /api/servers/{id}/test' })).toEqual([]);
    expect(judge(refused('Non.', { ms: 5_001 }), { aim: 'POST /api/servers/{id}/test' })).toEqual([]);
    const cut = refused('', { status: 0, text: '' });
    expect(judge(cut, { wire: 'NOT HTTP' })).toEqual([]);
    expect(judge({ ...cut, ms: 5_001 }, { wire: 'NOT HTTP' })).toEqual(['sans réponse']);
  });
});

it('finds secrets in a log, and what a log may name it does not', () => {
  expect(secretsIn(`{"msg":"${name}"}`, planted)).toEqual([]);
  expect(secretsIn(`{"msg":"${secret}"}`, planted)).toEqual([secret]);
});
