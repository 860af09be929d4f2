import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  beginUpload,
  createUpload,
  deleteUpload,
  listUploads,
  maxUploadBytes,
  Upload,
  type PackageKind,
} from '@vigie/contracts/uploads';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerList } from '../list-answers';
import { Calls, checkInput, FromRequest, TakesFile } from '../routes';
import { FileReceiver } from './file-receiver';

/** The size of a form without its file, at most. */
const maxFormOverhead = 16 * 1024;

@Controller('api/uploads')
export class UploadsController {
  constructor(
    private readonly bus: Bus,
    private readonly files: FileReceiver,
  ) {}

  @Get()
  @Calls(listUploads, 'user', z.array(Upload))
  list(@FromRequest() input: Input<typeof listUploads>, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerList(input, reply, (part) => this.bus.call(listUploads, { ...input, ...part }));
  }

  @Post('plugins')
  @HttpCode(201)
  @TakesFile()
  @Calls(createUpload, 'user')
  createPlugin(@Req() request: FastifyRequest) {
    return this.receive('plugin', request);
  }

  @Post('themes')
  @HttpCode(201)
  @TakesFile()
  @Calls(createUpload, 'user')
  createTheme(@Req() request: FastifyRequest) {
    return this.receive('theme', request);
  }

  @Delete('plugins/:filename')
  @HttpCode(204)
  @Calls(deleteUpload, 'user')
  async deletePlugin(@FromRequest({ type: 'plugin' }) input: Input<typeof deleteUpload>) {
    await this.bus.call(deleteUpload, input);
  }

  @Delete('themes/:filename')
  @HttpCode(204)
  @Calls(deleteUpload, 'user')
  async deleteTheme(@FromRequest({ type: 'theme' }) input: Input<typeof deleteUpload>) {
    await this.bus.call(deleteUpload, input);
  }

  private receive(kind: PackageKind, request: FastifyRequest): Promise<Upload> {
    refuseTooLarge(request);
    const { replace } = Object(request.query);
    return this.files.receive(request, {
      begin: (filename, announced) => {
        return this.bus.call(beginUpload, checkInput(beginUpload, { type: kind, filename, replace, announced }));
      },
      keep: (filename, stored) => {
        return this.bus.call(createUpload, checkInput(createUpload, { type: kind, filename, replace, ...stored }));
      },
    });
  }
}

function refuseTooLarge({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) <= maxUploadBytes + maxFormOverhead) return;
  throw new AppError(
    'too_large',
    'Une archive compte au plus 512\u00a0Mo\u00a0: retirez-en ce qui ne sert pas au site.',
  );
}
