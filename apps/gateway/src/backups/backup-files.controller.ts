import { Controller, Get, Req, Res } from '@nestjs/common';
import { openLink } from '@vigie/contracts/backups';
import { Bus } from '@vigie/service-kit/bus';
import { hashToken } from '@vigie/service-kit/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allows } from '../routes';
import { StoredParts } from './stored-parts';

/** Downloads by a browser, which follows a link and sends no bearer. */
@Controller('api/backups/files')
export class BackupFilesController {
  constructor(
    private readonly bus: Bus,
    private readonly parts: StoredParts,
  ) {}

  @Get(':token')
  @Allows('ticket')
  async send(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const hash = hashToken(String(Object(request.params).token));
    const { user_id: userId, ...part } = await this.bus.call(openLink, { token_hash: hash });
    await this.parts.send(part, userId, request, reply);
  }
}
