import { describe, expect, it } from 'vitest';
import { KnownValues } from './known-values';
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
  ])('loses identifying values: %s', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it.each([
    'a server this process needs is away',
    'TypeError: cannot read x of undefined',
    'at processTicksAndRejections (node:internal/process/task_queues:105:5)',
    'reference 0198c0de-0000-7000-8000-000000000001',
    'password authentication failed',
    'read ECONNRESET',
  ])('keeps everything else: %s', (text) => {
    expect(scrub(text)).toBe(text);
  });
});

describe('a known value', () => {
  const knownValues = new KnownValues();
  knownValues.add('Chez Paul');
  knownValues.add('web01');
  knownValues.add('abc$');
  knownValues.add('x');
  knownValues.add('8080');
  knownValues.add('prod');
  knownValues.add('canari de la mine');
  knownValues.addAddress('postgres://jeanne:p%40ss@base/compta');
  knownValues.addAddress('https://intranet/');
  const scrubberWithNames = new Scrubber(knownValues);

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
  ])('is redacted everywhere: %s', (text, expected) => {
    expect(scrubberWithNames.sentence(text)).toBe(expected);
    expect(
      JSON.parse(scrubberWithNames.lines([JSON.stringify({ err: { type: 'Error', message: text } })])[0] ?? ''),
    ).toEqual({ err: { type: 'Error', message: expected } });
  });

  it.each(['postgres listens at 8080', 'the database is away', 'x is not a web server'])(
    'does not redact other text: %s',
    (text) => {
      expect(scrubberWithNames.sentence(text)).toBe(text);
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

  it('keep the known fields, and the type, message and code of an error', () => {
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

  it('keep positions in the code, without the folder of the installation', () => {
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

  it('leave out a field with a malformed value', () => {
    const malformed = { time: 'hier', requestId: 'jeanne', route: '/chez jeanne', subject: 'Jeanne', kind: ['jeanne'] };
    expect(scrubLines([JSON.stringify(malformed)])).toEqual(['{}']);
  });

  it('leave out truncated lines, and the continuation lines of a database', () => {
    const text = ['2026-11-22 10:00:00 UTC [7] ERROR:  duplicate key', '\tinsert into x', 'DETAIL:  Key (a)=(jeanne)'];
    expect(scrubLines(['jeanne"}', '{"msg":"half of jeanne', ...text])).toEqual([
      '2026-11-22 10:00:00 UTC [7] ERROR:  duplicate key',
    ]);
  });
});
