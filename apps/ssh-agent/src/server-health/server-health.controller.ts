import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { probeServer } from '@vigie/contracts/server-health';
import { Handles } from '@vigie/service-kit/handles';
import { Connections } from '../connections';
import { probeHost } from './probe-host';

@Controller()
export class ServerHealthController {
  constructor(private readonly connections: Connections) {}

  @Handles(probeServer)
  async probe(access: Input<typeof probeServer>) {
    const probe = await probeHost(this.connections, access);
    if (!probe) throw new AppError('remote_too_slow', 'Le serveur n’a pas répondu à temps.');
    return probe;
  }
}
