import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from '../agent.module';
import { env } from '../env';
import { trialJobs } from '../trial/trial.jobs';

/** The agent of a trial, with a kind of job that does nothing: what is measured is the road to it. */
const kit = await openKit('ssh-agent', env);
const nothing = async () => ({ state: 'succeeded' as const, result: {} });
await startService(
  kit,
  AgentModule.with(kit, (connections) => ({ ...trialJobs(connections), 'bench.nothing': nothing })),
);
