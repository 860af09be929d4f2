import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { compareArchives, linkBackup, listArchive, locateInArchive } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Calls, checkInput, FromRequest } from '../routes';
import { StoredParts } from './stored-parts';

/** The content of an archive in the store. */
@Controller('api/sites/:id/backups/local/:filename')
export class ArchivesController {
  constructor(
    private readonly bus: Bus,
    private readonly parts: StoredParts,
  ) {}

  @Post('link')
  @HttpCode(200)
  @Calls(linkBackup, 'user', z.object({ url: z.string() }))
  async link(@FromRequest() input: Input<typeof linkBackup>) {
    const { token } = await this.bus.call(linkBackup, input);
    return { url: `/api/backups/files/${token}` };
  }

  @Get('entries')
  @Calls(listArchive, 'user')
  entries(@FromRequest() input: Input<typeof listArchive>) {
    return this.bus.call(listArchive, input);
  }

  @Get('content')
  @Calls(locateInArchive, 'user', z.any())
  async content(
    @FromRequest() input: Input<typeof locateInArchive>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const part = await this.bus.call(locateInArchive, input);
    await this.parts.send(part, currentUser().sub, request, reply);
  }

  @Get('compare')
  @Calls(compareArchives, 'user')
  compare(@Req() { query, params }: FastifyRequest) {
    const { with: other, ...rest } = Object(query);
    return this.bus.call(compareArchives, checkInput(compareArchives, { ...rest, other, ...Object(params) }));
  }
}
