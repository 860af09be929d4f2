import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createBackup } from '@vigie/contracts/backups';
import { updateItem } from '@vigie/contracts/changes';
import type { Caller, Contract } from '@vigie/contracts/contract';
import { createDnsRecord } from '@vigie/contracts/dns-records';
import { claimJob, finishJob, noteJob } from '@vigie/contracts/jobs';
import { root } from '../start/env';
import { fr } from '../terminal';
import type { Fault } from './faults';

/** A pattern in the traffic of a process: it dies before sending it, after sending it, or instead of answering. */
type Moment = { sends: string } | { sent: string } | { answers: string };

const program = pathToFileURL(join(root, 'tools/chaos/die-at.mjs')).href;
/** Other replicas share the work, so the moment may take some time. */
const maxWaitMs = 12_000;

/** Many jobs are claimed by a call of their own. */
const patternOf = ({ name }: Contract) => `\\.${name.replaceAll('.', '\\.')}(-many)?`;
const callPattern = (contract: Contract) => `PUB \\S+${patternOf(contract)} `;

/** Adds a replica that dies at a moment of about a millisecond, which other faults hardly ever hit. */
function dieAt(app: Caller, description: string, moment: Moment): Fault {
  const name = fr`${app} meurt ${description}`;
  const strike: Fault['strike'] = async (stage) => {
    const env = { NODE_OPTIONS: `--import ${program}`, VIGIE_TRIAL_MOMENT: JSON.stringify(moment) };
    const earlierProcesses = new Set(stage.product.processes);
    // The replica may die before it is ready.
    await stage.product.add(app, env).catch(() => undefined);
    const entry = stage.product.processes.find((candidate) => !earlierProcesses.has(candidate));
    if (!entry) throw new Error(`no more ${app}`);
    const isReached = await Promise.race([entry.process.exit().then(() => true), wait(maxWaitMs, false)]);
    await stage.stopProcess(entry, 'SIGKILL');
    stage.recordMoment(name, isReached);
  };
  return { name, strike };
}

const beforeRequest = (app: Caller, contract: Contract) =>
  dieAt(app, fr`avant de demander ${contract.name}`, { sends: callPattern(contract) });
const afterRequest = (app: Caller, contract: Contract) =>
  dieAt(app, fr`dès que ${contract.name} est demandé`, { sent: callPattern(contract) });
const insteadOfAnswer = (app: Caller, contract: Contract) =>
  dieAt(app, fr`au lieu de répondre à ${contract.name}`, { answers: `${patternOf(contract)}$` });

/** Moments between a promise and its effect, or an effect and its report. */
export const moments: readonly Fault[] = [
  afterRequest('ssh-agent', claimJob),
  insteadOfAnswer('sites-svc', finishJob),
  beforeRequest('ssh-agent', finishJob),
  insteadOfAnswer('sites-svc', updateItem),
  dieAt('sites-svc', 'avant de confier une tâche à sa file', { sends: ':jobs:site-ops:wait' }),
  afterRequest('ssh-agent', finishJob),
  insteadOfAnswer('sites-svc', claimJob),
  afterRequest('ssh-agent', noteJob),
  insteadOfAnswer('dns-svc', createDnsRecord),
  afterRequest('gateway', updateItem),
  insteadOfAnswer('sites-svc', createBackup),
];
