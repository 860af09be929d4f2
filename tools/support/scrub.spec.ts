import { describe, expect, it } from 'vitest';
import { Known } from './known';
import { Scrubber } from './scrub';

const scrubber = new Scrubber();
const scrub = (text: string) => scrubber.sentence(text);
const scrubLines = (lines: string[]) => scrubber.lines(lines);

describe('a sentence', () => {
  it.each([
    ['connect ECONNREFUSED 10.1.2.3:22', 'connect ECONNREFUSED <ip>:22'],
    ['connect ECONNREFUSED 2001:db8::7:22', 'connect ECONNREFUSED <ip>'],
    ['getaddrinfo ENOTFOUND web.client-é.fr', 'getaddrinfo ENOTFOUND <name>'],
    ['mail to jeanne.d+x@exemple.fr failed', 'mail to <e-mail> failed'],
    ['mail to root@localhost failed', 'mail to <e-mail> failed'],
    ['smtp://u:p@mail.exemple.fr:587 is away', '<url> is away'],
    ['Key (email)=(a@b.fr) already exists', 'Key (email)=(<e-mail>) already exists'],
    ['invalid input syntax for type uuid: "secret d’atelier"', 'invalid input syntax for type uuid: “…”'],
    ['« Chez Paul » ne répond pas', '“…” ne répond pas'],
    ["the file 'clef de la cave' is gone", 'the file “…” is gone'],
    ['no such folder /srv/www/client/wp-config.php', 'no such folder <path>'],
    ['a token 0aF3_98sdfKJH-234lkjsdf9 was refused', 'a token <token> was refused'],
    ['no answer of x_web.client.sh and ..web.client.md', 'no answer of <name> and ..<name>'],
    ['an unfinished "secret', 'an unfinished “…”'],
    ['login with password=abc was refused', 'login with password=<secret> was refused'],
    ['PGPASSWORD: "a b", x_token=b,c', 'PGPASSWORD: <secret>, x_token=<secret>,c'],
    ['authorization: Bearer abc', 'authorization: Bearer <secret>'],
    ['getaddrinfo EAI_AGAIN web1', 'getaddrinfo EAI_AGAIN <name>'],
    ['connect ECONNREFUSED web1:22', 'connect ECONNREFUSED <name>:22'],
  ])('loses what names somebody: %s', (said, left) => {
    expect(scrub(said)).toBe(left);
  });

  it.each([
    'a server this process needs is away',
    'TypeError: cannot read x of undefined',
    'at processTicksAndRejections (node:internal/process/task_queues:105:5)',
    'reference 0198c0de-0000-7000-8000-000000000001',
    'password authentication failed',
    'read ECONNRESET',
  ])('keeps what helps: %s', (said) => {
    expect(scrub(said)).toBe(said);
  });
});

describe('what this Vigie calls its own', () => {
  const known = new Known();
  known.add('Chez Paul');
  known.add('web01');
  known.add('abc$');
  known.add('x');
  known.add('8080');
  known.add('prod');
  known.add('canari de la mine');
  known.addAddress('postgres://jeanne:p%40ss@base/compta');
  known.addAddress('https://intranet/');
  const own = new Scrubber(known);

  it.each([
    ['no answer of web01:22, said WEB01', 'no answer of <known>:22, said <known>'],
    ['chez-paul is away, Paul is not', '<known> is away, Paul is not'],
    ['abc$ was refused to jeanne of base', '<known>$ was refused to <known> of <known>'],
    ['no database compta for p@ss', 'no database <known> for <known>'],
    ['web01.client.fr and intranet', '<known>.<name> and <known>'],
    ['postgres://web01/base', '<url>'],
    ['7f3a9_prod_x8Kq2LmZ91: refused, prod is not', '<known>: refused, <known> is not'],
    ['a 0aF3_98sdfKJH-234lkj-canari de la mine', 'a <known>'],
    ['no such user prod_2024_jeanne-d-arc@web1', 'no such user <e-mail>'],
    ['S3_PROD_ACCESS_TOKEN_2024=abc', 'S3_<known>_ACCESS_TOKEN_2024=<secret>'],
  ])('is struck out wherever it is said: %s', (said, left) => {
    expect(own.sentence(said)).toBe(left);
    expect(JSON.parse(own.lines([JSON.stringify({ err: { type: 'Error', message: said } })])[0] ?? '')).toEqual({
      err: { type: 'Error', message: left },
    });
  });

  it.each(['postgres listens at 8080', 'the database is away', 'x is not a web server'])(
    'and nothing else: %s',
    (said) => {
      expect(own.sentence(said)).toBe(said);
    },
  );
});

describe('the lines of a log', () => {
  const line = {
    level: 40,
    time: '2026-11-22T10:00:00.000Z',
    app: 'auth-svc',
    msg: 'mails wait',
    to: 'jeanne@exemple.fr',
    user: 'x',
    err: {
      type: 'Error',
      message: 'no answer of 10.0.0.9',
      code: 'ETIMEDOUT',
      parameters: ['clef'],
      cause: { type: 'X' },
    },
  };

  it('keep the fields that are known, and of a failure what says where it broke', () => {
    expect(scrubLines([JSON.stringify(line)]).map((text) => JSON.parse(text))).toEqual([
      {
        level: 40,
        time: '2026-11-22T10:00:00.000Z',
        app: 'auth-svc',
        msg: 'mails wait',
        err: { type: 'Error', message: 'no answer of <ip>', code: 'ETIMEDOUT', cause: { type: 'X' } },
      },
    ]);
  });

  it('say where in the code, not where that is installed', () => {
    const stack = [
      'Error: no answer of web.exemple.fr',
      '    at Dispatcher.look (file:///home/jeanne/vigie/dist/sites-svc/main.js:120:9)',
      '    at unavailable (/home/jeanne/vigie/libs/service-kit/src/failures.medium.spec.ts:24:3)',
      '    at async new Promise (<anonymous>)',
      '    at web.exemple.fr, said Jeanne',
    ];
    const [text = ''] = scrubLines([JSON.stringify({ err: { type: 'Error', stack: stack.join('\n') } })]);
    expect(JSON.parse(text).err.stack.split('\n')).toEqual([
      'Error: no answer of <name>',
      '    at Dispatcher.look (dist/sites-svc/main.js:120:9)',
      '    at unavailable (libs/service-kit/src/failures.medium.spec.ts:24:3)',
      '    at async new Promise (<anonymous>)',
      '    at <name>, said Jeanne',
    ]);
  });

  it('leave out a field whose value is none of its kind', () => {
    const odd = { time: 'hier', requestId: 'jeanne', route: '/chez jeanne', subject: 'Jeanne', kind: ['jeanne'] };
    expect(scrubLines([JSON.stringify(odd)])).toEqual(['{}']);
  });

  it('leave out half a line, and what a database goes on with', () => {
    const said = ['2026-11-22 10:00:00 UTC [7] ERROR:  duplicate key', '\tinsert into x', 'DETAIL:  Key (a)=(jeanne)'];
    expect(scrubLines(['jeanne"}', '{"msg":"half of jeanne', ...said])).toEqual([
      '2026-11-22 10:00:00 UTC [7] ERROR:  duplicate key',
    ]);
  });
});
