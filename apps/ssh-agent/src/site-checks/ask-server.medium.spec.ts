import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SshAccess } from '@vigie/contracts/credentials';
import { TestAuthority } from '@vigie/testing/certificates';
import { connectionsTo } from '@vigie/testing/connections';
import { targetOf } from '@vigie/testing/ssh-targets';
import { SshHost } from '@vigie/testing/sshd';
import { askFromServer } from './ask-server';
import { userAgent } from './visit';

const tools = ['curl', 'wget', 'php', 'busybox'].filter((tool) => existsSync(`/usr/bin/${tool}`));
const askingTools = tools.filter((tool) => tool !== 'busybox');
const access = { host: 'h' } as SshAccess;

let folder: string;
let authority: TestAuthority;
const hosts = new Map<string, SshHost>();
const connections = new Map<string, ReturnType<typeof connectionsTo>>();
const servers: (Server | TcpServer)[] = [];
/** What the site was asked for, and by whom. */
const requests: { path: string; agent: string | undefined }[] = [];
let site: string;

async function ask(tool: string, url: string) {
  const toHost = connections.get(tool);
  if (!toHost) throw new Error(`no host with ${tool}`);
  return askFromServer(toHost, { access, url });
}

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const answer: RequestListener = ({ url = '', headers }, response) => {
  requests.push({ path: url, agent: headers['user-agent'] });
  const [, code = '200'] = /^\/(\d{3})$/.exec(url) ?? [];
  response.writeHead(Number(code), { location: '/418' });
  if (url === '/endless') sendEndlessly(response);
  else response.end('<html>');
};

function sendEndlessly(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    response.once('drain', more);
  };
  more();
}

/** A host on whose PATH there is nothing but one tool to ask with, and settings that would weaken the tools. */
async function startHost(tool: string): Promise<void> {
  const path = join(folder, tool);
  mkdirSync(path);
  for (const name of ['cat', 'sed', 'grep', 'timeout', 'touch', 'true'])
    symlinkSync(`/usr/bin/${name}`, join(path, name));
  if (tools.includes(tool)) symlinkSync(`/usr/bin/${tool}`, join(path, tool === 'busybox' ? 'wget' : tool));
  const host = await SshHost.start({
    settings: [`SetEnv PATH=${path} SSL_CERT_FILE=${authority.file}`],
    home: { '.curlrc': 'insecure\nlocation\n', '.wgetrc': 'check_certificate = off\n' },
  });
  hosts.set(tool, host);
  connections.set(tool, connectionsTo(targetOf(host)));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigie-asked-'));
  authority = new TestAuthority(folder, '/O=Autorité de test/CN=Racine');
  site = `http://127.0.0.1:${await listen(createServer(answer))}`;
  await Promise.all([...tools, 'none'].map(startHost));
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((each) => each.close()));
  await Promise.all([...hosts.values()].map((host) => host.stop()));
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(askingTools)('an address asked of a host by %s', (tool) => {
  it.each([200, 301, 302, 404, 500, 503])(
    'answers %i, followed nowhere, to the same visitor as Vigie',
    async (code) => {
      requests.splice(0);
      const result = await ask(tool, `${site}/${code}`);
      expect(result).toEqual({ code, ms: expect.any(Number), error: null });
      expect(result.ms).toBeLessThan(8_000);
      expect(requests).toEqual([{ path: `/${code}`, agent: userAgent }]);
    },
  );

  it('answers although its page has no end', async () => {
    expect(await ask(tool, `${site}/endless`)).toMatchObject({ code: 200, error: null });
  });

  const hostile = [
    `/"'; touch ~/hacked; '"`,
    '/$(touch ~/hacked)`touch ~/hacked`?a=$(touch ~/hacked)&b=\\"',
    '/{1,2}[1-3]?-o=/tmp/hacked',
    '/-o /tmp/hacked --config /etc/passwd',
    '/a\nb\tc\r\nX-Header: 1',
  ];
  it.each(hostile)('is data, as %j', async (path) => {
    const { home } = hosts.get(tool) ?? {};
    const before = readdirSync(home ?? '');
    requests.splice(0);
    const { pathname, search } = new URL(`${site}${path}`);
    expect(await ask(tool, `${site}${path}`)).toMatchObject({ code: 200, error: null });
    expect(requests.map((request) => decodeURIComponent(request.path))).toEqual([
      decodeURIComponent(pathname + search),
    ]);
    expect(readdirSync(home ?? '')).toEqual(before);
  });

  it('says why there is no answer', async () => {
    const port = await listen(createTcpServer((socket) => void socket.on('error', () => undefined).end()));
    expect(await ask(tool, 'http://127.0.0.1:1/')).toEqual({
      code: 0,
      ms: null,
      error: 'La connexion au site est refusée, ou aucun chemin n’y mène.',
    });
    expect(await ask(tool, `http://127.0.0.1:${port}/`)).toMatchObject({ code: 0, error: 'Le site ne répond pas.' });
    expect(await ask(tool, site.replace('http:', 'https:'))).toMatchObject({
      code: 0,
      error: 'La connexion chiffrée avec le site a échoué.',
    });
  });

  it('refuses a certificate that a visitor would refuse, whatever the settings of the account are', async () => {
    const error = 'Le certificat du site n’est pas valable pour ce serveur.';
    for (const certificate of [
      authority.issue('autre.test'),
      authority.issue('localhost', { end: '20210101000000Z' }),
    ]) {
      const port = await listen(createSecureServer(certificate, answer));
      expect(await ask(tool, `https://localhost:${port}/`)).toEqual({ code: 0, ms: null, error });
    }
  });
});

it.each(askingTools.filter((tool) => tool !== 'wget'))('accepts a valid certificate by %s', async (tool) => {
  const port = await listen(createSecureServer(authority.issue('localhost'), answer));
  expect(await ask(tool, `https://localhost:${port}/`)).toMatchObject({ code: 200, error: null });
});

it('ends after ten seconds, whether nothing or headers drip in', async () => {
  const silent = await listen(createTcpServer((socket) => void socket.on('error', () => undefined)));
  const dripping = await listen(
    createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    }),
  );
  const late = { code: 0, error: 'Le site n’a pas répondu en 10\u00a0s.' };
  const startedAt = performance.now();
  const asking = askingTools.flatMap((tool) => [
    ask(tool, `http://127.0.0.1:${silent}/`),
    ask(tool, `http://127.0.0.1:${dripping}/`),
  ]);
  for (const result of await Promise.all(asking)) expect(result).toMatchObject(late);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it.each(['none', 'busybox'].filter((tool) => tool === 'none' || tools.includes(tool)))(
  'says that a host has no tool that verifies certificates, with %s',
  async (tool) => {
    expect(await ask(tool, `${site}/`)).toEqual({
      code: null,
      ms: null,
      error: 'Ce serveur n’a ni curl, ni wget, ni PHP pour interroger le site.',
    });
  },
);

it('says why a host could not be asked', async () => {
  const gone = connectionsTo(targetOf({ port: 1, privateKey: hosts.get('none')?.privateKey ?? '' }));
  const result = await askFromServer(gone, { access, url: site });
  expect(result).toEqual({ code: null, ms: null, error: expect.stringMatching(/refuse les connexions/) });
  await gone.close();
});
