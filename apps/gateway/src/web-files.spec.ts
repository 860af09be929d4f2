import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fastify, type FastifyInstance } from 'fastify';
import { readWebFiles, serveWeb } from './web-files';

let http: FastifyInstance;
beforeAll(async () => {
  const root = join(mkdtempSync(join(tmpdir(), 'vigie-web-')), 'web');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html>');
  writeFileSync(join(root, 'assets/app-1.js'), 'export {}');
  writeFileSync(join(root, 'assets/app-1.js.br'), 'brotli');
  writeFileSync(join(root, '../secret.txt'), 'secret');
  mkdirSync(join(root, '../cli'));
  writeFileSync(join(root, '../cli/vigie'), '#!/usr/bin/env node');
  const files = await readWebFiles(root);
  http = fastify();
  http.addHook('onRequest', (request, reply, done) => {
    if (!serveWeb(files, request, reply)) done();
  });
});

const get = (url: string, headers = {}) => http.inject({ method: 'GET', url, headers });

it('answers a path of the router with the page, which is never cached', async () => {
  const page = await get('/sites/42?tab=a');
  expect([page.statusCode, page.body, page.headers['cache-control']]).toEqual([200, '<!doctype html>', 'no-cache']);
});

it('serves an asset with a long cache time, and compressed if the client accepts it', async () => {
  const plain = await get('/assets/app-1.js');
  expect([plain.body, plain.headers['cache-control']]).toEqual(['export {}', 'public, max-age=31536000, immutable']);
  const small = await get('/assets/app-1.js', { 'accept-encoding': 'gzip, br' });
  expect([small.body, small.headers['content-encoding']]).toEqual(['brotli', 'br']);
});

it('offers the command line, and no page in place of a download that is not there', async () => {
  const { body, headers } = await get('/downloads/vigie');
  expect([body, headers['cache-control']]).toEqual(['#!/usr/bin/env node', 'no-cache']);
  expect((await get('/downloads/other')).statusCode).toBe(404);
});

it('answers 304 to a client that has it already', async () => {
  const { headers } = await get('/');
  expect((await get('/', { 'if-none-match': headers.etag })).statusCode).toBe(304);
});

it('answers 404 with the page to a client that accepts HTML, even if the path looks like a file', async () => {
  const page = await get('/nope.html', { accept: 'text/html,*/*', 'if-none-match': (await get('/')).headers.etag });
  expect([page.statusCode, page.body, page.headers['content-type']]).toEqual([
    404,
    '<!doctype html>',
    'text/html; charset=utf-8',
  ]);
});

describe('a path that is no page', () => {
  it.each(['/assets/missing.js', '/../secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt', '/api', '/api/x'])(
    '%s is a 404',
    async (path) => {
      expect((await get(path)).statusCode).toBe(404);
    },
  );
});
