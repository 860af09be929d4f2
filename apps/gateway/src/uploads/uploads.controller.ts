import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  beginUpload,
  createUpload,
  deleteUpload,
  listUploads,
  mostUploadBytes,
  Upload,
  type UploadType,
} from '@vigie/contracts/uploads';
import { FileStore } from '@vigie/files/file-store';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Turns } from '@vigie/service-kit/turns';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireSession } from '../auth.guard';
import { Calls, checkInput, FromRequest, TakesFile } from '../routes';
import { SessionCache } from '../session-cache';
import { pacedBody } from './paced-body';
import { openSentFile } from './sent-file';

const mostInPart = 400;
/** They last: each holds a connection and a file open. */
const mostAtOnce = 64;
/** What a form has around its file. */
const mostAround = 16 * 1024;

@Controller('api/uploads')
export class UploadsController {
  constructor(
    private readonly bus: Bus,
    private readonly store: FileStore,
    private readonly sessions: SessionCache,
  ) {}

  private readonly turns = new Turns(mostAtOnce);

  @Get()
  @Calls(listUploads, 'user', z.array(Upload))
  async list() {
    const items: Upload[] = [];
    for (;;) {
      const part = await this.bus.call(listUploads, { offset: items.length, limit: mostInPart });
      items.push(...part.items);
      if (part.items.length < mostInPart) return items;
    }
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

  /** Right and room are asked for before the first byte of the file; what was stored of a refused one is gone. */
  private async receive(type: UploadType, request: FastifyRequest): Promise<Upload> {
    const announced = announcedBy(request);
    const leave = this.turns.take(currentUser().sub);
    if (!leave) throw tooMany();
    const body = pacedBody(request.raw);
    try {
      return await this.keep(type, announced, body, request);
    } finally {
      leave();
      await body.return(undefined);
    }
  }

  private async keep(type: UploadType, announced: number, body: AsyncGenerator<Buffer>, request: FastifyRequest) {
    const file = await openSentFile(body, request.headers['content-type'] ?? '');
    const { replace } = Object(request.query);
    const asked = checkInput(beginUpload, { type, filename: file.filename, replace, announced });
    const { key, most } = await this.bus.call(beginUpload, asked);
    const stored = await this.store.write(key, file.content, most);
    const { filename } = asked;
    // It may have lasted: who was allowed then may have been logged out since.
    await requireSession(this.sessions, request, { asksEachTime: true });
    return this.bus.call(createUpload, { type, filename, replace: asked.replace, key, ...stored });
  }
}

const tooMany = () =>
  new AppError('too_many', 'Trop de fichiers sont envoyés à la fois. Attendez la fin d’un envoi, puis recommencez.', {
    retryAfter: 5,
  });

function announcedBy({ headers }: FastifyRequest): number {
  const length = headers['content-length'];
  if (length === undefined) throw new AppError('invalid', 'Annoncez la longueur de l’envoi (en-tête Content-Length).');
  const announced = Number(length);
  if (announced <= mostUploadBytes + mostAround) return announced;
  throw new AppError(
    'too_large',
    'Une archive compte au plus 512\u00a0Mo\u00a0: retirez-en ce qui ne sert pas au site.',
  );
}
