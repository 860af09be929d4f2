import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from './agent.module';
import { env } from './env';

const kit = await openKit('ssh-agent', env);
await startService(kit, AgentModule.with(kit));
