import { Controller } from '@nestjs/common';
import { listHostBackups, removeBackup } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { Handles } from '@vigie/service-kit/handles';
import { Connections } from '../connections';
import { lookNow, removeNow } from './backups-now';

@Controller()
export class BackupsController {
  constructor(private readonly connections: Connections) {}

  @Handles(listHostBackups)
  async look(input: Input<typeof listHostBackups>) {
    return lookNow(this.connections, input);
  }

  @Handles(removeBackup)
  async remove(input: Input<typeof removeBackup>) {
    return removeNow(this.connections, input);
  }
}
