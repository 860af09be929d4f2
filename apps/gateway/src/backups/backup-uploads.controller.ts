import { Controller, Req } from '@nestjs/common';
import { beginBackupUpload, createBackupUpload } from '@vigie/contracts/backups';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyRequest } from 'fastify';
import { checkInput, Serves } from '../routes';
import { FileReceiver } from '../uploads/file-receiver';

@Controller()
export class BackupUploadsController {
  constructor(
    private readonly bus: Bus,
    private readonly files: FileReceiver,
  ) {}

  @Serves(createBackupUpload)
  create(@Req() request: FastifyRequest) {
    const { id } = Object(request.params);
    return this.files.receive(request, {
      begin: (filename, announced) => {
        return this.bus.call(beginBackupUpload, checkInput(beginBackupUpload, { id, filename, announced }));
      },
      keep: (filename, stored) => {
        return this.bus.call(createBackupUpload, checkInput(createBackupUpload, { id, filename, ...stored }));
      },
    });
  }
}
