import { Controller } from '@nestjs/common';
import { listHostBackups, removeBackup } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { Handles } from '@vigie/service-kit/handles';
import { Connections } from '../connections';
import { readHostBackups, removeHostBackup } from './host-backups';

@Controller()
export class BackupsController {
  constructor(private readonly connections: Connections) {}

  @Handles(listHostBackups)
  async list(input: Input<typeof listHostBackups>) {
    return readHostBackups(this.connections, input);
  }

  @Handles(removeBackup)
  async remove(input: Input<typeof removeBackup>) {
    return removeHostBackup(this.connections, input);
  }
}
