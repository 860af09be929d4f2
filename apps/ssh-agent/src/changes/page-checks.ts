import type { SitePages } from '@vigie/contracts/changes';
import { type SitePage, visitSitePages } from '../site-checks/site-pages';
import type { OutboundRule } from '../site-checks/guarded-request';
import type { PageCheck, PageChecks } from './regressions';

/** Checks only the beginning of a longer page. */
const maxBytes = 8 * 1_048_576;

/** Visits the home page and the login page of a site. */
export async function checkPages(siteUrl: string, mayConnect: OutboundRule): Promise<PageChecks> {
  const { home, login } = await visitSitePages(siteUrl, mayConnect, { maxBytes });
  return { home: toPageCheck(home), login: toPageCheck(login) };
}

function toPageCheck({ visitedUrl, code, error, ms, page, isBlank, isLate, isUnreachable }: SitePage): PageCheck {
  const text = page && page.encoding === '' ? `${page.head.toString()}\n${page.tail.toString()}` : null;
  const isHtml = page !== null && /\bhtml\b/i.test(page.type);
  return {
    url: visitedUrl.slice(0, 2_048),
    code,
    error,
    ms,
    bytes: page?.bytes ?? 0,
    isBlank,
    isWhole: text !== null && isHtml && page?.isAll ? /<\/html\s*>/i.test(text) : null,
    fatal: text === null ? null : fatalOf(text),
    isLate,
    isUnseen: isUnreachable,
  };
}

const toResult = ({ url, code, ms, error, fatal, isBlank, isWhole }: PageCheck) => ({
  url,
  code,
  ms,
  error: error ?? fatal ?? (isBlank ? 'page vide' : isWhole === false ? 'page coupée' : null),
});

/** What a person reads of a visit. */
export const toSitePages = ({ home, login }: PageChecks): SitePages => ({
  home: toResult(home),
  login: toResult(login),
});

/** Error messages that WordPress and PHP print instead of a page, or in the middle of it. */
const errorPatterns = [
  /there has been a critical error on (?:this|your) website/i,
  /erreur critique (?:sur|est survenue sur) (?:ce|votre) site/i,
  /the site is experiencing technical difficulties/i,
  /le site rencontre (?:actuellement )?des (?:difficultés|problèmes) techniques/i,
  /error establishing a database connection/i,
  /erreur lors de la connexion à la base de données/i,
  /<b>(?:fatal|parse) error<\/b>:[^\n]{0,300}/i,
  /^(?:php )?(?:fatal|parse) error: [^\n]{0,300}/im,
];

function fatalOf(text: string): string | null {
  for (const pattern of errorPatterns) {
    const [match] = pattern.exec(text) ?? [];
    if (match !== undefined) return readable(match);
  }
  return null;
}

const readable = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);

/** The line about a page in the log of a job. */
export function pageLine({ url, code, error, ms, bytes, isWhole, fatal, isBlank }: PageCheck): string {
  const duration = `${(ms ?? 0).toLocaleString('fr-FR')}\u00a0ms`;
  if (code === 0) return `GET ${url}\u00a0: ${error ?? ''} (${duration})`;
  const state = isBlank ? 'page vide' : isWhole === null ? '' : isWhole ? 'page complète' : 'page coupée';
  const details = [`${bytes.toLocaleString('fr-FR')}\u00a0octets`, duration, state, fatal && `«\u00a0${fatal}\u00a0»`];
  return `GET ${url}\u00a0: ${code}, ${details.filter(Boolean).join(', ')}`;
}
