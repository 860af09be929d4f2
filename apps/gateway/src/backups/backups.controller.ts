import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  Backup,
  BackupMade,
  BackupPlaced,
  BackupStored,
  BackupVerified,
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
import { BackupRestored, restoreBackup } from '@vigie/contracts/restores';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerJob } from '../job-answers';
import { Calls, checkInput, FromRequest, TakesFile } from '../routes';
import { FileReceiver } from '../uploads/file-receiver';

const mostInPart = 400;

/** What has a name of its own stands before what any file may be called. */
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
  @Calls(createBackup, 'user', z.union([BackupMade, JobTicket]))
  async create(
    @FromRequest() input: Input<typeof createBackup>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(createBackup, input), request, reply);
  }

  @Get('local')
  @Calls(listLocalBackups, 'user', z.array(LocalBackup))
  async listLocal(@FromRequest() { id }: Input<typeof listLocalBackups>) {
    const items: LocalBackup[] = [];
    for (;;) {
      const part = await this.bus.call(listLocalBackups, { id, offset: items.length, limit: mostInPart });
      items.push(...part.items);
      if (part.items.length === 0 || items.length >= part.total) return items;
    }
  }

  @Post('import')
  @HttpCode(200)
  @Calls(importBackup, 'user', z.union([BackupPlaced, JobTicket]))
  async import(
    @FromRequest() input: Input<typeof importBackup>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(importBackup, input), request, reply);
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
  @Calls(downloadBackup, 'user', z.union([BackupStored, JobTicket]))
  async download(
    @FromRequest() input: Input<typeof downloadBackup>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(downloadBackup, input), request, reply);
  }

  @Post(':filename/restore')
  @HttpCode(200)
  @Calls(restoreBackup, 'user', z.union([BackupRestored, JobTicket]))
  async restore(
    @FromRequest() input: Input<typeof restoreBackup>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(restoreBackup, input), request, reply);
  }

  @Post(':filename/verify')
  @HttpCode(200)
  @Calls(verifyBackup, 'user', z.union([BackupVerified, JobTicket]))
  async verify(
    @FromRequest() input: Input<typeof verifyBackup>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(verifyBackup, input), request, reply);
  }
}
