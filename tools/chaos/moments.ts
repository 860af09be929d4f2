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

/** What a process does not live to say, or to hear the answer to: a pattern of what goes over its sockets. */
type Moment = { sends: string } | { sent: string } | { answers: string };

const program = pathToFileURL(join(root, 'tools/chaos/die-at.mjs')).href;
/** Until it has its share of what it dies of: others do the same work. */
const patienceMs = 12_000;

const patternOf = ({ name }: Contract) => `\\.${name.replaceAll('.', '\\.')}`;
const call = (contract: Contract) => `PUB \\S+${patternOf(contract)} `;

/** One more replica, which dies at a moment that hardly any other fault meets: they are a thousandth of a second long. */
function dieAt(app: Caller, words: string, moment: Moment): Fault {
  const name = fr`${app} meurt ${words}`;
  const strike: Fault['strike'] = async (stage) => {
    const env = { NODE_OPTIONS: `--import ${program}`, VIGIE_TRIAL_MOMENT: JSON.stringify(moment) };
    const others = new Set(stage.product.processes);
    // It may die before it is ready.
    await stage.product.add(app, env).catch(() => undefined);
    const entry = stage.product.processes.find((one) => !others.has(one));
    if (!entry) throw new Error(`no more ${app}`);
    const hasMet = await Promise.race([entry.process.exit().then(() => true), wait(patienceMs, false)]);
    await stage.fell(entry, 'SIGKILL');
    stage.noteMoment(name, hasMet);
  };
  return { name, strike };
}

const beforeAsking = (app: Caller, contract: Contract) =>
  dieAt(app, fr`avant de demander ${contract.name}`, { sends: call(contract) });
const onceAsked = (app: Caller, contract: Contract) =>
  dieAt(app, fr`dès que ${contract.name} est demandé`, { sent: call(contract) });
const insteadOfAnswering = (app: Caller, contract: Contract) =>
  dieAt(app, fr`au lieu de répondre à ${contract.name}`, { answers: `${patternOf(contract)}$` });

/** Between a promise and its deed, or a deed and its news. */
export const moments: readonly Fault[] = [
  onceAsked('ssh-agent', claimJob),
  insteadOfAnswering('sites-svc', finishJob),
  beforeAsking('ssh-agent', finishJob),
  insteadOfAnswering('sites-svc', updateItem),
  dieAt('sites-svc', 'avant de confier une tâche à sa file', { sends: ':jobs:site-ops:wait' }),
  onceAsked('ssh-agent', finishJob),
  insteadOfAnswering('sites-svc', claimJob),
  onceAsked('ssh-agent', noteJob),
  insteadOfAnswering('dns-svc', createDnsRecord),
  onceAsked('gateway', updateItem),
  insteadOfAnswering('sites-svc', createBackup),
];
