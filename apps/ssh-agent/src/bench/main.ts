import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from '../agent.module';
import { env } from '../env';
import { trialJobs } from '../trial/trial.jobs';

/** The agent of a benchmark, with a kind of job that does nothing, to measure the way to a job. */
const kit = await openKit('ssh-agent', env);
const nothing = async () => ({ state: 'succeeded' as const, result: {} });
await startService(
  kit,
  AgentModule.with(kit, (connections) => ({ ...trialJobs(connections), 'bench.nothing': nothing })),
);
