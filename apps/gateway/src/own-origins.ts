import { env } from './env';

/** The origins of our own pages. */
export function ownOrigins(): ReadonlySet<string> {
  const { VIGIE_PUBLIC_URL: publicUrl, PORT: port } = env;
  const urls = publicUrl ? [publicUrl] : ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`);
  return new Set(urls.map((url) => new URL(url).origin));
}
