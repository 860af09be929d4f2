import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from '../agent.module';
import { env } from '../env';

/** The product's own agent with one more kind of job, which does nothing: what is measured is the road to it. */
const kit = await openKit('ssh-agent', env);
const nothing = async () => ({ state: 'succeeded' as const, result: {} });
await startService(
  kit,
  AgentModule.with(kit, () => ({ 'bench.nothing': nothing })),
);
