import { randomBytes } from 'node:crypto';
import type { OutboundRule } from './guarded-request';
import { type PageVisit, visitPage } from './visit';

/** A little longer than opcache serves old code without checking (`revalidate_freq`). */
export const opcacheMs = 3_500;

/** One page of a site: its address, and the URL that was visited to get past caches. */
export type SitePage = PageVisit & { address: string; visitedUrl: string; isBlank: boolean };

/** Visits the home page and the login page of a site. */
export async function visitSitePages(siteUrl: string, mayConnect: OutboundRule, options: { maxBytes?: number } = {}) {
  const visit = async (address: string, url: URL): Promise<SitePage> => {
    url.searchParams.set('vigie', randomBytes(6).toString('hex'));
    const visited = await visitPage(url.href, mayConnect, options);
    return { ...visited, address, visitedUrl: url.href, isBlank: isBlank(visited) };
  };
  const login = loginOf(siteUrl);
  const [home, loginPage] = await Promise.all([visit(siteUrl, homeOf(siteUrl)), visit(login.href, login)]);
  return { home, login: loginPage };
}

/** Adds the slash that a folder would redirect to. A path with a query may be that of a file. */
function homeOf(siteUrl: string): URL {
  const url = new URL(siteUrl);
  if (url.search === '' && !url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function loginOf(siteUrl: string): URL {
  const { origin, pathname } = new URL(siteUrl);
  return new URL(`${origin}${pathname.replace(/\/+$/, '')}/wp-login.php`);
}

const isBlank = ({ page }: PageVisit) =>
  page !== null && page.isAll && page.encoding === '' && `${page.head.toString()}${page.tail.toString()}`.trim() === '';
