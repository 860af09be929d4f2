import type { Input } from '@vigie/contracts/contract';
import { type ContentFinding, plainAddress, type ShownContent } from '@vigie/contracts/site-check-rules';
import type { reportVisits } from '@vigie/contracts/site-checks';
import type { BeatState } from '@vigie/contracts/uptime';
import type { DataSource, EntityManager } from 'typeorm';
import { type Checks, countFailures, countSuccesses } from '../incidents/conditions';
import { checkSeconds } from '../sweeps/schedule';
import { toJsonb } from '../to-jsonb';

type Check = Input<typeof reportVisits>['items'][number] & { state: BeatState; seconds: number; isExcused: boolean };
type Content = NonNullable<Check['content']>;
type JudgedContent = Check & { content: Content };

const checks: Checks = { kind: 'content', subjectKind: 'site', seconds: checkSeconds('site-visit') };

const isJudged = (check: Check): check is JudgedContent => check.content !== null && check.state === 'up';

/** Whether the site answered with another page than the one that is expected. */
export const showsOtherPage = ({ content }: Pick<Check, 'content'>): boolean =>
  content !== null && content.found !== 'as_expected';

/**
 * Counts sites that show something else than what is expected of them. The rules stay as they are meanwhile, and a visit that
 * judged by others, from before a change, says nothing.
 */
export async function countContent(database: DataSource, items: readonly Check[]): Promise<boolean> {
  const reported = items.filter(isJudged);
  await forgetFindings(
    database.manager,
    items.filter((check) => !isJudged(check)),
  );
  if (reported.length === 0) return false;
  return database.transaction(async (manager) => {
    const rules = await lockRules(manager, reported);
    const judged = reported.filter(({ id, content }) => isSame(rules.get(id), content));
    await saveFindings(manager, judged);
    const failures = judged
      .filter((check) => showsOtherPage(check) && !check.isExcused)
      .map((check) => ({ id: check.id, seconds: check.seconds, evidence: evidenceOf(check) }));
    const good = judged.filter((check) => !showsOtherPage(check)).map(({ id }) => id);
    const mustOpen = await countFailures(manager, checks, failures);
    return (await countSuccesses(manager, checks, good)) || mustOpen;
  });
}

const isSame = (rules: ShownContent | undefined, judged: ShownContent): boolean =>
  rules !== undefined && rules.expected_text === judged.expected_text && rules.redirects_to === judged.redirects_to;

async function lockRules(manager: EntityManager, items: readonly Check[]): Promise<Map<string, ShownContent>> {
  const rows: (ShownContent & { id: string })[] = await manager.query(
    `select site_id as id, expected_text, redirects_to from site_check_rules where site_id = any($1::uuid[])
     order by site_id for no key update`,
    [items.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, ...rules }) => [id, rules]));
}

/** What was found the last time is no longer known of a site that does not answer, or whose page could not be read. */
const forgetFindings = (manager: EntityManager, items: readonly Check[]): Promise<unknown> =>
  manager.query(
    `update site_check_rules c set found = null from (
       select site_id from site_check_rules where site_id = any($1::uuid[]) and found is not null
       order by site_id for no key update) known
     where c.site_id = known.site_id`,
    [items.map(({ id }) => id)],
  );

async function saveFindings(manager: EntityManager, items: readonly JudgedContent[]): Promise<void> {
  await manager.query(
    `update site_check_rules c set found = r.found from jsonb_to_recordset($1::jsonb) as r(id uuid, found text)
     where c.site_id = r.id and c.found is distinct from r.found`,
    [toJsonb(items.map(({ id, content: { found } }) => ({ id, found })))],
  );
}

const maxShown = 300;

function evidenceOf({ content, seen }: JudgedContent) {
  return { code: seen.code, reason: reasonOf(content, seen.url), ends_at: null };
}

function reasonOf({ found, expected_text: text, redirects_to: target }: Content, url: string): string | null {
  const sentences: Readonly<Record<ContentFinding, string | null>> = {
    as_expected: null,
    text_missing: `Le texte «\u00a0${text ?? ''}\u00a0» n’y est plus.`,
    other_redirect: `L’adresse mène à ${shorten(plainAddress(url))}, au lieu de ${shorten(target ?? '')}.`,
  };
  return sentences[found];
}

const shorten = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** The sites that must show something, with what. */
export async function findExpectations(
  manager: EntityManager,
  siteIds: readonly string[],
): Promise<Map<string, ShownContent>> {
  const rows: (ShownContent & { id: string })[] = await manager.query(
    'select site_id as id, expected_text, redirects_to from site_check_rules where site_id = any($1::uuid[])',
    [siteIds],
  );
  return new Map(rows.map(({ id, ...rules }) => [id, rules]));
}
