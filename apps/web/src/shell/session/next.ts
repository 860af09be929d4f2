/** Allows only paths of this site after a login, against open redirects. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/';
  const url = new URL(next, 'http://vigie');
  if (url.origin !== 'http://vigie' || url.pathname.startsWith('//')) return '/';
  return url.pathname === '/login' ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
