import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from '../agent.module';
import { env } from '../env';
import { trialJobs } from './trial.jobs';

/** The agent of a trial: that of the product, with further kinds of jobs whose effects can be counted. */
const kit = await openKit('ssh-agent', env);
await startService(kit, AgentModule.with(kit, trialJobs));
