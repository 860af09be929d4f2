import 'reflect-metadata';
import { openKit, startService } from '@vigie/service-kit/bootstrap';
import { AgentModule } from './agent.module';
import { env } from './env';

await startService(await openKit('ssh-agent', env), AgentModule);
