import { Controller, Get } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { readServersHealth } from '@vigie/contracts/server-health';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/servers/health')
export class ServerHealthController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(readServersHealth, 'user')
  read(@FromRequest() { ids, ...input }: Input<typeof readServersHealth>) {
    return this.bus.call(readServersHealth, { ...input, ...(ids && { ids: ids.join(',') }) });
  }
}
