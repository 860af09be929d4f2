import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unusedAddress } from '@vigie/testing/addresses';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let token: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  token = await product.login();
});
afterAll(() => product?.stop());

const login = (body: unknown, headers: Record<string, string> = {}) =>
  product.request('POST', '/api/auth/login', { body, headers });

/** Sends a whole request, and closes the connection before the answer. */
function sendAndLeave(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = product.dial().on('error', () => undefined);
    socket.on('close', () => resolve()).write(text, () => setImmediate(() => socket.resetAndDestroy()));
  });
}

/** Sends bytes that no HTTP client would send. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = product.dial().setEncoding('utf8');
    socket
      .on('data', (data) => (answer += data))
      .on('end', () => resolve(answer))
      .on('error', reject);
    socket.write(text);
  });
}

it('queues a thousand connections, and answers each of them', async () => {
  const [gateway] = product.processesOf('gateway');
  const answers: string[] = [];
  let connected = 0;
  // The stopped gateway accepts none: the system connects them into its queue.
  await gateway?.kill('SIGSTOP');
  const sockets = Array.from({ length: 1_000 }, () =>
    product
      .dial()
      .setEncoding('utf8')
      .once('connect', () => (connected += 1))
      .once('data', (text: string) => answers.push(text.slice(0, 'HTTP/1.1 200'.length)))
      .on('error', ({ message }) => answers.push(message)),
  );
  try {
    for (const socket of sockets)
      socket.write('GET /api/health/live HTTP/1.1\r\nHost: vigie\r\nConnection: close\r\n\r\n');
    await until(() => connected === 1_000);
  } finally {
    await gateway?.kill('SIGCONT');
  }
  await until(() => answers.length === 1_000);
  expect([...new Set(answers)]).toEqual(['HTTP/1.1 200']);
  for (const socket of sockets) socket.destroy();
});

/** Connections of clients that left are still queued, and later ones refused until the gateway has accepted them all. */
const waitUntilIdle = () =>
  until(async () =>
    /"ready":false/.test(await sendRaw('GET /api/health/ready HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')),
  );

describe('an invalid body', () => {
  it.each([
    ['a missing field', { email: 'a@b' }, 422],
    ['a field of the wrong type', { email: ['a@b'], password: { $gt: '' } }, 422],
    ['null', null, 422],
    ['an array', [1, 2], 422],
    ['a string', '"text"', 422],
    ['a required text left empty', { email: ' ', password: 'x' }, 400],
    ['an invalid address', { email: 'nobody', password: 'x' }, 400],
    ['a password that is too long', { email: 'a@b', password: 'x'.repeat(257) }, 400],
    ['invalid JSON', '{"email":', 400],
    ['an empty body', '', 422],
    ['more than 256 KiB', JSON.stringify({ email: 'a@b', password: 'x'.repeat(300_000) }), 413],
  ])('answers %s with a sentence', async (_name, body, status) => {
    const answer = await login(body);
    expect([answer.status, typeof answer.body['detail']]).toEqual([status, 'string']);
  });

  it('keeps the sentence of an empty field', async () => {
    const answer = await login({ email: '', password: '' });
    expect(answer.body).toEqual({ detail: 'Veuillez saisir votre email et votre mot de passe.' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'refuses %s',
    async (type) => {
      const answer = await login('email=a', { 'content-type': type });
      expect([answer.status, typeof answer.body['detail']]).toEqual([415, 'string']);
    },
  );

  it('refuses a compressed body', async () => {
    expect((await login('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('never takes a password from the address', async () => {
    const answer = await product.request('POST', '/api/auth/login?email=admin@localhost&password=phare-et-balise', {
      body: {},
    });
    expect(answer.status).toBe(422);
  });
});

describe('an unknown path or method', () => {
  it.each([
    ['GET', '/api/nothing', 404],
    ['GET', '/api', 404],
    ['GET', '/api/%zz', 400],
    ['DELETE', '/api/nothing/more', 404],
    ['GET', '/api/auth/../../etc/passwd', 404],
    ['GET', `/api/${'a'.repeat(3000)}`, 404],
    ['POST', '/sites', 404],
  ])('%s %s', async (method, path, status) => {
    const answer = await product.request(method, path);
    expect([answer.status, typeof answer.body['detail']]).toEqual([status, 'string']);
  });

  it.each([
    ['DELETE', '/api/auth/me', 'GET, HEAD'],
    ['PROPFIND', '/api/auth/me?q=1', 'GET, HEAD'],
    ['GET', '/api/auth/login', 'POST'],
    ['PATCH', '/api/sites/019a8f3c-0000-7000-8000-000000000001', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/api/sites/a/backups/b%2Fc', 'DELETE'],
  ])('%s %s has a known path: the answer lists its methods', async (method, path, allowed) => {
    const answer = await product.request(method, path);
    const { status, headers, body } = answer;
    expect([status, headers.get('allow'), body['detail']]).toEqual([
      405,
      allowed,
      expect.stringMatching(/^Cette adresse n’accepte que .+\.$/),
    ]);
  });

  it.each([
    ['an unreadable request', 'NOT HTTP\r\n\r\n', '400'],
    ['endless headers', `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
    ['a request without a host', 'GET /api/health/live HTTP/1.1\r\n\r\n', '400'],
    [
      'an upgrade with a body',
      'POST /api/nothing HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      '400',
    ],
    [
      'an unknown expectation',
      'GET /api/nothing HTTP/1.1\r\nhost: x\r\nexpect: more\r\nconnection: close\r\n\r\n',
      '404',
    ],
    ['an invalid chunk', 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', '400'],
  ])('answers %s in French and closes', async (_name, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    expect(answer).toMatch(/\{"detail":"[^"]+"\}$/);
  });
});

describe('authentication', () => {
  it.each([
    ['a malformed token', 'admin'],
    ['an unsigned JWT', 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoiYWRtaW4ifQ.'],
  ])('refuses %s', async (_name, forged) => {
    const answer = await product.request('GET', '/api/auth/me', { token: forged });
    expect([answer.status, typeof answer.body['detail']]).toEqual([401, 'string']);
  });

  it('takes no authority from headers', async () => {
    const headers = { 'x-user-id': '1', 'x-admin-mode': '1', 'x-forwarded-for': '10.0.0.1' };
    expect((await product.request('GET', '/api/auth/me', { headers })).status).toBe(401);
  });

  it('answers everything with security headers, and one id per request', async () => {
    for (const path of ['/api/nothing', '/api/health/live', '/api/%zz']) {
      const { headers } = await product.request('GET', path);
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

it('lets a client that sends far too much finish, and answers why', async () => {
  const url = new URL('/api/auth/login', product.gateways[0]);
  const length = 8 * 1_048_576;
  const send = (_: unknown, index: number) =>
    new Promise((resolve, reject) => {
      // Every other request has no content length.
      const lengthHeader = index % 2 === 0 && { 'content-length': length };
      const headers = { 'content-type': 'application/json', ...lengthHeader };
      const outgoing = request(url, { method: 'POST', headers, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      outgoing.on('error', reject).write(' '.repeat(length));
      outgoing.end();
    });
  expect(await Promise.all(Array.from({ length: 10 }, send))).toEqual(Array(10).fill(413));
});

it('keeps serving when clients leave before their answer', async () => {
  const loginBody = '{"email":"parti@localhost","password":"x"}';
  // Their failures count for their address, which the next file on this product must not find full.
  const head = `POST /api/auth/login HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${unusedAddress()}\r\ncontent-type: application/json\r\ncontent-length: ${loginBody.length}`;
  for (let n = 0; n < 12; n += 1) {
    await Promise.all(Array.from({ length: 50 }, () => sendAndLeave(`${head}\r\n\r\n${loginBody}`)));
  }
  // A saturated gateway would refuse for ever; auth-svc still has passwords to check.
  await waitUntilIdle();
  const ask = () => product.request('GET', '/api/health/ready').then(({ body }) => body);
  await until(async () => Object(Object(await ask())['services'])['auth-svc'] === true);
  expect(Object(await ask())['ready']).toBe(false);
});

it('keeps serving when requests are pipelined, or their clients leave before the answers', async () => {
  const requestText = 'GET /api/health/ready HTTP/1.1\r\nhost: x\r\n\r\n';
  const answers = await sendRaw(requestText.repeat(40));
  expect(answers.match(/"ready":false/g)).toHaveLength(8);
  expect(answers.split('HTTP/1.1 ')).toHaveLength(1 + 8 + 1);
  expect(answers).toMatch(/HTTP\/1\.1 429[^]*retry-after: 1[^]*"Trop de requêtes\. Patientez avant de réessayer\."/);
  for (let n = 0; n < 4; n += 1) {
    await Promise.all(Array.from({ length: 40 }, () => sendAndLeave(requestText.repeat(8))));
  }
  await waitUntilIdle();
});

it('closes refused connections, although their clients stay', async () => {
  const upgrade = 'host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
  for (const line of ['GET /api/nothing', 'POST /api/nothing']) {
    const socket = product.dial({ allowHalfOpen: true });
    socket.on('error', () => undefined).write(`${line} HTTP/1.1\r\n${upgrade}`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/HTTP\/1\.1 40[04]/);
    await once(socket, 'end');
    // A closed connection answers these writes with a reset.
    const writing = setInterval(() => socket.write('x'), 20);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(writing);
  }
});

it('reports which services are away, and stays alive without them', async () => {
  const ask = () => product.request('GET', '/api/health/ready');
  let ready = await ask();
  // Requests of earlier tests may still keep the service from answering in time.
  await until(async () => Object((ready = await ask()).body['services'])['auth-svc'] === true);
  expect(ready.status).toBe(503);
  expect(ready.body).toEqual({
    ready: false,
    services: { 'auth-svc': true, 'sites-svc': false, 'ssh-agent': false, 'dns-svc': false },
  });
  expect((await product.request('GET', '/api/health/live')).status).toBe(200);
});

it('carries the id of a request into the log of the service that failed', async () => {
  await product.database.query('alter table auth.users rename to hidden');
  const answer = await product.request('GET', '/api/auth/me', { token });
  await product.database.query('alter table auth.hidden rename to users');
  const id = answer.headers.get('x-request-id') ?? 'none';
  expect(answer.status).toBe(500);
  expect(answer.body['detail']).toContain(id);
  expect(answer.text).not.toMatch(/users|relation|at /);
  const printed = () => product.processesOf('auth-svc')[0]?.output ?? '';
  await until(() => printed().includes(id));
  const log = printed();
  // A failed query is logged without its parameters.
  expect(log).not.toContain('"parameters"');
});
