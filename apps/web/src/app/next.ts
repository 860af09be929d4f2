/** Where to go after the login: a path of ours, or `/`. What it refuses is made to lead somebody elsewhere. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/';
  const url = new URL(next, 'https://vigie.invalid');
  if (url.origin !== 'https://vigie.invalid' || url.pathname.startsWith('//')) return '/';
  return url.pathname === '/login' ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
