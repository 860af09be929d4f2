import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Allows } from '../routes';
import { buildDocument } from './document';

@Controller('api')
export class OpenApiController {
  private built: { text: string; etag: string } | undefined;

  /** The whole document. Built once, since it blocks the event loop for a moment. */
  @Get(['openapi.json', 'docs'])
  @Allows('bearer')
  read(@Res() reply: FastifyReply, @Headers('if-none-match') known?: string): void {
    this.built ??= build();
    const { text, etag } = this.built;
    void reply.header('etag', etag);
    if (known === etag) void reply.status(304).send();
    else void reply.header('content-type', 'application/json; charset=utf-8').send(text);
  }
}

function build() {
  const text = JSON.stringify(buildDocument());
  return { text, etag: `"${createHash('sha256').update(text).digest('hex')}"` };
}
