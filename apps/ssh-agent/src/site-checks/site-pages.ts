import { randomBytes } from 'node:crypto';
import { type OutboundRule, type PageVisit, visitPage } from './visit';

/** A little more than opcache keeps old code for without looking (`revalidate_freq`). */
export const opcacheMs = 3_500;

/** One page of a site: where it is, and what was asked for to get past whatever keeps copies of it. */
export type SitePage = PageVisit & { address: string; visitedUrl: string; isBlank: boolean };

/** The two pages of a site that whoever runs it sees first. */
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

/** A folder is asked for as one, without the redirect to it. What has a query may as well be a file. */
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
