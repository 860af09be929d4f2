import { type SitePage, visitSitePages } from '../site-looks/site-pages';
import type { Rule } from '../site-looks/visit';
import type { Page, Sight } from './worse-than';

/** A page that is longer is judged by its beginning, and by what it says there. */
const maxBytes = 8 * 1_048_576;

/** As whoever runs the site sees it first. */
export async function lookAtPages(siteUrl: string, mayConnect: Rule): Promise<Sight> {
  const { home, login } = await visitSitePages(siteUrl, mayConnect, { most: maxBytes });
  return { home: toPage(home), login: toPage(login) };
}

function toPage({ asked, code, error, ms, page, isBlank, isLate, isUnseen }: SitePage): Page {
  const text = page && page.encoding === '' ? `${page.head.toString()}\n${page.tail.toString()}` : null;
  const isHtml = page !== null && /\bhtml\b/i.test(page.type);
  return {
    url: asked.slice(0, 2_048),
    code,
    error,
    ms,
    bytes: page?.bytes ?? 0,
    isBlank,
    isWhole: text !== null && isHtml && page?.isAll ? /<\/html\s*>/i.test(text) : null,
    fatal: text === null ? null : fatalOf(text),
    isLate,
    isUnseen,
  };
}

/** What WordPress and PHP show instead of a page, or in the middle of it. */
const troubles = [
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
  for (const trouble of troubles) {
    const [said] = trouble.exec(text) ?? [];
    if (said !== undefined) return readable(said);
  }
  return null;
}

const readable = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);

/** For the log of a job. */
export function pageLine({ url, code, error, ms, bytes, isWhole, fatal, isBlank }: Page): string {
  const took = `${(ms ?? 0).toLocaleString('fr-FR')}\u00a0ms`;
  if (code === 0) return `GET ${url}\u00a0: ${error ?? ''} (${took})`;
  const state = isBlank ? 'page vide' : isWhole === null ? '' : isWhole ? 'page complète' : 'page coupée';
  const facts = [`${bytes.toLocaleString('fr-FR')}\u00a0octets`, took, state, fatal && `«\u00a0${fatal}\u00a0»`];
  return `GET ${url}\u00a0: ${code}, ${facts.filter(Boolean).join(', ')}`;
}
