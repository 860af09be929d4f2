import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  Backup,
  CreatedBackup,
  ImportedBackup,
  DownloadedBackup,
  VerifiedBackup,
  beginBackupUpload,
  createBackup,
  createBackupUpload,
  deleteBackup,
  downloadBackup,
  importBackup,
  listBackups,
  listLocalBackups,
  LocalBackup,
  readBackupsInfo,
  verifyBackup,
} from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import { RestoreResult, restoreBackup } from '@vigie/contracts/restores';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerJob } from '../job-answers';
import { answerList } from '../list-answers';
import { Calls, checkInput, Exchange, FromRequest, TakesFile } from '../routes';
import { FileReceiver } from '../uploads/file-receiver';

/** Routes with a fixed name come before those with a file name. */
@Controller('api/sites/:id/backups')
export class BackupsController {
  constructor(
    private readonly bus: Bus,
    private readonly files: FileReceiver,
  ) {}

  @Get('info')
  @Calls(readBackupsInfo, 'user')
  info(@FromRequest() input: Input<typeof readBackupsInfo>) {
    return this.bus.call(readBackupsInfo, input);
  }

  @Get()
  @Calls(listBackups, 'user', z.array(Backup))
  async list(@FromRequest() input: Input<typeof listBackups>) {
    return (await this.bus.call(listBackups, input)).items;
  }

  @Post()
  @HttpCode(200)
  @Calls(createBackup, 'user', z.union([CreatedBackup, JobTicket]))
  async create(@FromRequest() input: Input<typeof createBackup>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(createBackup, input), exchange);
  }

  @Get('local')
  @Calls(listLocalBackups, 'user', z.array(LocalBackup))
  listLocal(@FromRequest() input: Input<typeof listLocalBackups>, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerList(input, reply, (part) => this.bus.call(listLocalBackups, { ...input, ...part }));
  }

  @Post('import')
  @HttpCode(200)
  @Calls(importBackup, 'user', z.union([ImportedBackup, JobTicket]))
  async import(@FromRequest() input: Input<typeof importBackup>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(importBackup, input), exchange);
  }

  @Post('upload')
  @HttpCode(201)
  @TakesFile()
  @Calls(createBackupUpload, 'user')
  upload(@Req() request: FastifyRequest) {
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

  @Delete(':filename')
  @HttpCode(204)
  @Calls(deleteBackup, 'user')
  async delete(@FromRequest() input: Input<typeof deleteBackup>) {
    await this.bus.call(deleteBackup, input);
  }

  @Post(':filename/download')
  @HttpCode(200)
  @Calls(downloadBackup, 'user', z.union([DownloadedBackup, JobTicket]))
  async download(@FromRequest() input: Input<typeof downloadBackup>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(downloadBackup, input), exchange);
  }

  @Post(':filename/restore')
  @HttpCode(200)
  @Calls(restoreBackup, 'user', z.union([RestoreResult, JobTicket]))
  async restore(@FromRequest() input: Input<typeof restoreBackup>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(restoreBackup, input), exchange);
  }

  @Post(':filename/verify')
  @HttpCode(200)
  @Calls(verifyBackup, 'user', z.union([VerifiedBackup, JobTicket]))
  async verify(@FromRequest() input: Input<typeof verifyBackup>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(verifyBackup, input), exchange);
  }
}
