import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const randomLength = 12;

/** The name is random, because a web server may serve the archive to anybody who knows its name. */
export function newArchiveName(url: string, now = new Date()): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const siteHost = host
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 120);
  const [day = '', time = ''] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${siteHost || 'site'}-${day}-${time}-${random}.wpress`;
}
