import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Where the product offers its own command line. */
const downloads = '/downloads/';

type WebFile = { type: string; etag: string; isImmutable: boolean; body: Buffer; br?: Buffer; gzip?: Buffer };
export type WebFiles = ReadonlyMap<string, WebFile>;

/**
 * Reads the built web app, a few megabytes, into memory, so that no path of a request ever touches the disk. The build
 * leaves `.br` and `.gz` files beside those worth compressing.
 */
export async function readWebFiles(root: string): Promise<WebFiles> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const bodies = new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
  const files = new Map<string, WebFile>(await readCommandLine(root));
  for (const [path, body] of bodies) {
    const type = types[extname(path)];
    if (!type) continue;
    const [br, gzip] = [bodies.get(`${path}.br`), bodies.get(`${path}.gz`)];
    const url = path.slice(root.replace(/\/+$/, '').length);
    files.set(url, {
      type,
      etag: etagOf(body),
      isImmutable: url.startsWith('/assets/'),
      body,
      ...(br && { br }),
      ...(gzip && { gzip }),
    });
  }
  return files;
}

const etagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** The build leaves the command line beside the web app. */
async function readCommandLine(root: string): Promise<[string, WebFile][]> {
  const body = await readFile(join(root, '../cli/vigie')).catch(() => undefined);
  const type = 'text/javascript; charset=utf-8';
  return body ? [[`${downloads}vigie`, { type, etag: etagOf(body), isImmutable: false, body }]] : [];
}

/** Answers a request for the web app; returns false for any other request. */
export function serveWeb(files: WebFiles, request: FastifyRequest, reply: FastifyReply): boolean {
  const path = request.url.split('?', 1)[0] ?? '/';
  if (!['GET', 'HEAD'].includes(request.method) || path === '/api' || path.startsWith('/api/')) return false;
  // An unknown file is a 404, with a page if the client accepts HTML.
  const exactFile = files.get(path) ?? (isPage(path) ? files.get('/index.html') : undefined);
  const file = exactFile ?? (accepts(request, 'text/html') ? files.get('/index.html') : undefined);
  if (!file) return false;
  void reply.header('etag', file.etag).header('vary', 'accept-encoding').type(file.type);
  void reply.header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (!exactFile) void sendSmallest(file, request.headers['accept-encoding'] ?? '', reply.status(404));
  else if (request.headers['if-none-match'] === file.etag) void reply.status(304).send();
  else void sendSmallest(file, request.headers['accept-encoding'] ?? '', reply);
  return true;
}

/** A path of the router has no extension. */
const isPage = (path: string): boolean => extname(path) === '' && !path.startsWith(downloads);

const accepts = ({ headers }: FastifyRequest, type: string): boolean => headers.accept?.includes(type) === true;

function sendSmallest(file: WebFile, accepted: string | string[], reply: FastifyReply) {
  const encodings = String(accepted);
  if (file.br && /\bbr\b/.test(encodings)) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && /\bgzip\b/.test(encodings)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.body);
}
