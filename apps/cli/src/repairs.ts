import {
  checkForRepairs,
  type Proposal,
  type Repair,
  type RepairCheck,
  repairSite,
  SiteRepairs,
} from '@vigie/contracts/site-repairs';
import type { Cli } from './cli';
import { exitCodes, Failure, usage } from './failures';
import { endingOf, followOrder, isDetached, sayEnd } from './follow';
import { findSite } from './names';

/** How a repair is named on the command line, the same at each check: `maintenance`, `plugin/avarie`. */
export function keyOf(repair: Repair): string {
  if (repair.action === 'end_maintenance') return 'maintenance';
  return repair.action === 'set_aside' ? `${repair.type}/${repair.slug}` : repair.aside;
}

function showCheck(cli: Cli, { boot, last_fatal: fatal, notes, proposals, aside }: RepairCheck): void {
  if (boot.problem) cli.shown.line(boot.problem.message);
  else
    cli.shown.line(
      cli.say(
        boot.starts
          ? { fr: 'WordPress démarre.', en: 'WordPress starts.' }
          : { fr: 'WordPress ne démarre pas.', en: 'WordPress does not start.' },
      ),
    );
  if (fatal) cli.shown.line(`${fatal.message} (${fatal.file ?? ''}:${fatal.line ?? ''})`);
  for (const note of notes) cli.shown.line(note);
  cli.shown.table(
    [cli.say({ fr: 'RÉPARATION', en: 'REPAIR' }), '', cli.say({ fr: 'EFFET', en: 'EFFECT' })],
    [...proposals, ...aside].map(({ repair, title, effect, refusal }) => [keyOf(repair), title, refusal ?? effect]),
  );
}

async function check(cli: Cli, id: string): Promise<{ look: RepairCheck; jobId: string }> {
  const job = await followOrder(cli, await cli.api.call(checkForRepairs, { id }));
  const look = SiteRepairs.pick({ look: true }).safeParse(job.result).data?.look;
  if (look) return { look, jobId: job.id };
  sayEnd(cli, job);
  const message = job.error?.message ?? '';
  throw new Failure(endingOf(job) === 'unknown' ? 'unknown' : 'failed', {
    fr: `L’examen n’a pas abouti. ${message}`,
    en: `The check did not succeed. ${message}`,
  });
}

function findProposal(look: RepairCheck, key: string): Proposal {
  const proposals = [...look.proposals, ...look.aside];
  const found = proposals.find(({ repair }) => keyOf(repair) === key);
  const keys = proposals.map(({ repair }) => keyOf(repair)).join(', ');
  if (!found)
    throw usage(
      `Cette réparation n’est pas proposée. Possibles\u00a0: ${keys || 'aucune'}`,
      `This repair is not offered. Possible: ${keys || 'none'}`,
    );
  if (found.refusal === null) return found;
  throw new Failure('refused', { fr: found.refusal, en: found.refusal });
}

/** Says what breaks a site, and with `--apply` makes one of the repairs that it offers, if nothing was done to it since. */
export async function repairOne(cli: Cli): Promise<number> {
  const key = cli.value('apply');
  if (cli.has('detach') && key === undefined)
    throw usage('--detach attend une réparation\u00a0: ajoutez --apply.', '--detach needs a repair: add --apply.');
  const site = await findSite(cli, cli.given.parameters[0] ?? '');
  const { look, jobId } = await check(cli, site.id);
  if (cli.isJson && key === undefined) cli.output.json(look);
  if (!cli.isJson) showCheck(cli, look);
  if (key === undefined) return exitCodes.done;
  const { repair: chosen, title, effect, command } = findProposal(look, key);
  // It names the folder of the site, which a grant does not show.
  if (command !== '') cli.output.note(command);
  if (!(await cli.confirm({ fr: `${title}\u202f? ${effect}`, en: `${title}? ${effect}` }))) return exitCodes.refused;
  const ticket = await cli.api.call(repairSite, { id: site.id, repair: chosen, expected_check: jobId });
  if (isDetached(cli, ticket)) return exitCodes.done;
  const job = await followOrder(cli, ticket);
  const done = SiteRepairs.pick({ done: true }).safeParse(job.result).data?.done;
  if (cli.isJson) cli.output.json(job);
  else if (done) cli.output.line(done.sentence);
  sayEnd(cli, job);
  return exitCodes[endingOf(job)];
}
