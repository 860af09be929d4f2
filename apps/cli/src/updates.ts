import {
  applyUpdates,
  coreSlug,
  type Item,
  type ItemKind,
  type Plan,
  planUpdates,
  restoreItem,
} from '@vigie/contracts/changes';
import { readSite, type Site } from '@vigie/contracts/sites';
import type { Cli } from './cli';
import { exitCodes, usage } from './failures';
import { seeThrough } from './follow';
import { count, type Words } from './language';
import { allLeftOut, codeWith, type LeftOut, nameLeftOut } from './left-out';
import { findSite, findSites } from './names';
import { formatTime } from './times';

const kindsByOption = { core: 'core', plugins: 'plugin', themes: 'theme' } as const;

/** The kinds that the options name; all of them where none does. */
function chosenKinds(cli: Cli): ItemKind[] {
  const options = (['core', 'plugins', 'themes'] as const).filter((option) => cli.has(option));
  return (options.length > 0 ? options : (['core', 'plugins', 'themes'] as const)).map(
    (option) => kindsByOption[option],
  );
}

/** A slug does not say what it names, so that the plan is asked for each kind that it may be. */
const itemsNamed = (slugs: readonly string[], kinds: readonly ItemKind[]): Item[] =>
  slugs.flatMap((slug): Item[] => {
    const fitting = kinds.filter((kind) => (kind === 'core') === (slug === coreSlug));
    return fitting.map((kind) => ({ kind, slug }));
  });

/** A misspelt slug must not look like one that has no update left. */
function checkNamed(only: readonly string[], { items, left_out: beyond }: Plan): void {
  const missing = only.filter((slug) => !items.some((line) => line.slug === slug));
  if (missing.length === 0 || beyond > 0) return;
  throw usage(
    `Aucune mise à jour n’est proposée pour ${missing.join(', ')}.`,
    `No update is offered for ${missing.join(', ')}.`,
  );
}

/** The lines of a plan that are not ordered: those that are refused, and those that it has no room for. */
function leftOutOf(cli: Cli, { items, left_out: beyond }: Plan): LeftOut[] {
  const refused = items.flatMap(({ site_id, site_name, kind, slug, refusal }) =>
    refusal === null ? [] : [{ site_id, site_name, kind, slug, refusal }],
  );
  if (beyond === 0) return refused;
  const lines = count(
    beyond,
    ['autre ligne n’entre pas dans ce plan', 'autres lignes n’entrent pas dans ce plan'],
    ['further line does not fit into this plan', 'further lines do not fit into this plan'],
  );
  const refusal = { fr: `${lines.fr}\u00a0: recommencez ensuite.`, en: `${lines.en}: run it again afterwards.` };
  return [...refused, { count: beyond, refusal: cli.say(refusal) }];
}

async function makePlan(cli: Cli): Promise<{ plan: Plan; raw: unknown }> {
  const kinds = chosenKinds(cli);
  const only = cli.values('only');
  const items = itemsNamed(only, kinds);
  // Without an item, the plan would hold every update.
  if (cli.has('only') && items.length === 0)
    throw usage('--only ne nomme rien qui soit choisi.', '--only names nothing that is chosen.');
  const sites = await findSites(cli);
  const { data, raw } = await cli.api.answer(planUpdates, {
    site_ids: sites.map(({ id }) => id),
    ...(items.length > 0 && { items }),
  });
  const isChosen = ({ kind }: { kind: ItemKind }) => kinds.includes(kind);
  const rawItems = (raw as Plan).items.filter(isChosen);
  checkNamed(only, data);
  return { plan: { ...data, items: data.items.filter(isChosen) }, raw: { ...Object(raw), items: rawItems } };
}

function showPlan(cli: Cli, plan: Plan): void {
  cli.shown.table(
    [
      'SITE',
      'TYPE',
      cli.say({ fr: 'NOM', en: 'NAME' }),
      cli.say({ fr: 'DE', en: 'FROM' }),
      cli.say({ fr: 'À', en: 'TO' }),
      cli.say({ fr: 'REMARQUE', en: 'NOTE' }),
    ],
    plan.items.map((line) => [
      line.site_name,
      line.kind,
      line.name,
      line.from,
      line.to,
      line.refusal === null
        ? line.warnings.join(' ')
        : cli.say({ fr: `Non\u00a0: ${line.refusal}`, en: `No: ${line.refusal}` }),
    ]),
  );
  for (const note of plan.notes) cli.output.note(note);
  for (const { server_name: server, disk, is_nearly_full: isFull } of plan.disks)
    if (isFull)
      cli.note({
        fr: `Le disque ${disk} de ${server} est presque plein.`,
        en: `The disk ${disk} of ${server} is nearly full.`,
      });
}

const noneOfThese = { fr: 'Aucune de ces mises à jour n’est possible.', en: 'None of these updates is possible.' };

/** Makes the updates that the plan showed, from and to the versions that it showed, or none of them. */
async function order(cli: Cli, plan: Plan, leftOut: readonly LeftOut[]): Promise<number> {
  const possible = plan.items.filter(({ refusal }) => refusal === null);
  if (possible.length === 0) throw allLeftOut(noneOfThese, leftOut);
  const what = count(possible.length, ['mise à jour', 'mises à jour'], ['update', 'updates']);
  if (!(await cli.confirm({ fr: `Faire ${what.fr}\u202f?`, en: `Make ${what.en}?` }))) return exitCodes.refused;
  const ticket = await cli.api.call(applyUpdates, {
    targets: possible.map(({ site_id, kind, slug, from, to }) => ({ site_id, kind, slug, expected: { from, to } })),
  });
  return seeThrough(cli, ticket, leftOut);
}

/** Shows the plan, and with `--plan` nothing more. */
export async function update(cli: Cli): Promise<number> {
  const { plan, raw } = await makePlan(cli);
  if (cli.isJson && cli.has('plan')) cli.output.json(raw);
  if (!cli.isJson) showPlan(cli, plan);
  const leftOut = leftOutOf(cli, plan);
  nameLeftOut(cli, leftOut);
  if (plan.items.length === 0 && !cli.has('plan')) {
    if (cli.isJson) cli.output.json(null);
    if (plan.left_out === 0) cli.note({ fr: 'Rien à mettre à jour.', en: 'Nothing to update.' });
  }
  if (cli.has('plan')) return exitCodes.done;
  return plan.items.length === 0 ? codeWith(exitCodes.done, leftOut) : order(cli, plan, leftOut);
}

type Previous = NonNullable<Site['previous']>;
/** The item, with the version that it has and the copy that it goes back to. */
type Found = { item: Item; version: string | null; previous: Previous };

/** Finds what a slug of the site names, among that which can go back, and what it goes back to. */
function itemOf({ plugins, themes, name, previous, wpCore }: Site, slug: string): Found {
  const found = [
    ...(slug === coreSlug ? [{ kind: 'core' as const, slug, previous, version: wpCore.version }] : []),
    ...plugins.map((plugin) => ({ ...plugin, kind: 'plugin' as const })),
    ...themes.map((theme) => ({ ...theme, kind: 'theme' as const })),
  ].flatMap((part) =>
    part.slug === slug && part.previous !== null
      ? [{ item: { kind: part.kind, slug }, version: part.version, previous: part.previous }]
      : [],
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  throw usage(`${name} n’a pas de version précédente de ${slug}.`, `${name} has no previous version of ${slug}.`);
}

function rollbackQuestion(
  name: string,
  slug: string,
  { version, made_at: at, has_tables: hasTables }: Previous,
): Words {
  const [to, date] = [version ?? '?', formatTime(at)];
  return {
    fr: `Remettre ${slug} ${to} sur ${name}, d’après la copie du ${date}${hasTables ? ', tables comprises' : ''}\u202f?`,
    en: `Go back to ${slug} ${to} on ${name}, from the copy of ${date}${hasTables ? ', with its tables' : ''}?`,
  };
}

/** Goes back to the version before an update, if the site and the copy are still those that the question named. */
export async function rollback(cli: Cli): Promise<number> {
  const [word = '', slug = ''] = cli.given.parameters;
  const site = await cli.api.call(readSite, { id: (await findSite(cli, word)).id });
  const { item, version: from, previous } = itemOf(site, slug);
  const question = rollbackQuestion(site.name, slug, previous);
  if (!(await cli.confirm(question))) return exitCodes.refused;
  const expected = { from, made_at: previous.made_at };
  return seeThrough(cli, await cli.api.call(restoreItem, { id: site.id, ...item, expected }));
}
