import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from '../agent.module';
import { env } from '../env';
import { talkBehindTheTimes } from './behind-the-times';
import { trialJobs } from './trial.jobs';

/** The agent of a trial: the product's own with kinds of jobs that can be counted, and late words to the ledger. */
const kit = await openKit('ssh-agent', env);
talkBehindTheTimes(kit.bus, process.env['VIGIE_TRIAL_RECORD'] ?? '');
await startService(kit, AgentModule.with(kit, trialJobs));
