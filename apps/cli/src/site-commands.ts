import { isFinal, type JobItem, readJob, type JobTicket } from '@vigie/contracts/jobs';
import { CommandResult, type CommandPlan, planCommand, runCommand } from '@vigie/contracts/site-commands';
import type { Cli } from './cli';
import { exitCodes, usage } from './failures';
import { endingOf, followOrder, isDetached, jobsOfBatch, orComplain, sayEnd } from './follow';
import { withRestOfLog } from './job-log';
import { stateWords } from './job-words';
import { count } from './language';
import { allLeftOut, codeWith, type LeftOut, nameLeftOut } from './left-out';
import { findSites } from './names';

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** One word is a line of its own; several are the words of one command, which arrive as they were typed. */
export const commandOf = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : words.map(quote).join(' ');

function showPlan(cli: Cli, plan: CommandPlan): void {
  cli.shown.table(
    ['SITE', cli.say({ fr: 'ADRESSE', en: 'ADDRESS' }), cli.say({ fr: 'REMARQUE', en: 'NOTE' })],
    plan.items.map(({ site_name: name, url, refusal }) => [
      name,
      url,
      refusal === null ? '' : cli.say({ fr: `Non\u00a0: ${refusal}`, en: `No: ${refusal}` }),
    ]),
  );
}

/** The output of the command on one site, under the name of the site. */
async function showOutput(cli: Cli, { id, site_name: name }: JobItem): Promise<unknown> {
  const read = (after: number) => cli.api.call(readJob, { id, after });
  const job = await withRestOfLog(cli, await read(0), read);
  const result = CommandResult.safeParse(job.result).data;
  const exit = result?.exit_code ?? undefined;
  if (!cli.isJson) {
    const state = cli.say(stateWords[job.state]);
    cli.output.line(`== ${name ?? id} (${state}${exit === undefined ? '' : `, ${exit}`}) ==`);
    for (const { text } of job.log) cli.output.line(text);
    if (job.error) cli.output.line(job.error.message);
    if (result && result.truncated > 0)
      cli.output.line(cli.say({ fr: `… ${result.truncated} octets de plus`, en: `… ${result.truncated} more bytes` }));
  }
  return job;
}

async function follow(cli: Cli, ticket: JobTicket, leftOut: readonly LeftOut[]): Promise<number> {
  if (isDetached(cli, ticket, leftOut)) return codeWith(exitCodes.done, leftOut);
  const batch = await followOrder(cli, ticket);
  const jobs: unknown[] = [];
  await orComplain(cli, async () => {
    const items = batch.counts ? await jobsOfBatch(cli, batch.id) : [batch];
    for (const item of items) if (isFinal(item.state)) jobs.push(await showOutput(cli, item));
  });
  if (cli.isJson) cli.output.json({ ...batch, jobs, left_out: leftOut });
  sayEnd(cli, batch);
  return codeWith(exitCodes[endingOf(batch)], leftOut);
}

function chosenCommand(cli: Cli) {
  const command = commandOf(cli.given.rest);
  if (command.trim() === '')
    throw usage('Écrivez la commande derrière «\u00a0--\u00a0».', 'Write the command behind “--”.');
  const seconds = cli.number('timeout');
  const kind = cli.has('wp') ? ('wp' as const) : ('shell' as const);
  return { kind, command, ...(seconds !== undefined && { timeout_seconds: seconds }) };
}

export async function run(cli: Cli): Promise<number> {
  const chosen = chosenCommand(cli);
  const fields = { site_ids: (await findSites(cli)).map(({ id }) => id), ...chosen };
  const { data: plan, raw } = await cli.api.answer(planCommand, fields);
  if (cli.isJson && cli.has('plan')) cli.output.json(raw);
  // With --yes the plan says nothing that the output does not.
  if (!cli.isJson && (cli.has('plan') || !cli.has('yes'))) showPlan(cli, plan);
  const leftOut = plan.items.flatMap(({ site_id, site_name, refusal }) =>
    refusal === null ? [] : [{ site_id, site_name, refusal }],
  );
  nameLeftOut(cli, leftOut);
  if (cli.has('plan')) return exitCodes.done;
  const expected = plan.items.filter(({ refusal }) => refusal === null).map(({ site_id: id }) => id);
  if (expected.length === 0)
    throw allLeftOut({ fr: 'Aucun site ne peut l’exécuter.', en: 'No site can run it.' }, leftOut);
  const where = count(expected.length, ['site', 'sites'], ['site', 'sites']);
  const question = {
    fr: `Exécuter «\u00a0${chosen.command}\u00a0» sur ${where.fr}\u202f?`,
    en: `Run “${chosen.command}” on ${where.en}?`,
  };
  if (!(await cli.confirm(question))) return exitCodes.refused;
  return follow(cli, await cli.api.call(runCommand, { ...fields, expected }), leftOut);
}
