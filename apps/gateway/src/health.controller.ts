import { Controller, Get, Res } from '@nestjs/common';
import { checkAgent, checkAuth, checkDns, checkSites, type Readiness } from '@vigie/contracts/health';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { Allows } from './routes';

const checks = { 'auth-svc': checkAuth, 'sites-svc': checkSites, 'ssh-agent': checkAgent, 'dns-svc': checkDns };

@Controller('api/health')
export class HealthController {
  constructor(private readonly bus: Bus) {}

  /** Asks no other service, so that a probe never restarts the gateway for the failure of another one. */
  @Get('live')
  @Allows('public')
  live() {
    return { live: true };
  }

  @Get('ready')
  @Allows('public')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const answers = Object.entries(checks).map(async ([app, contract]) => [app, await this.answers(contract)] as const);
    const services = Object.fromEntries(await Promise.all(answers));
    const ready = Object.values(services).every(Boolean);
    if (!ready) void reply.status(503);
    return { ready, services: services as Readiness['services'] };
  }

  private async answers(contract: (typeof checks)[keyof typeof checks]): Promise<boolean> {
    const health = await this.bus.call(contract, {}).catch(() => undefined);
    return health?.ok === true;
  }
}
