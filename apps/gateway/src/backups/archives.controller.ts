import { Controller, Req, Res } from '@nestjs/common';
import { compareArchives, linkBackup, locateInArchive } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkInput, FromRequest, Serves } from '../routes';
import { StoredParts } from './stored-parts';

/** The content of an archive in the store. */
@Controller()
export class ArchivesController {
  constructor(
    private readonly bus: Bus,
    private readonly parts: StoredParts,
  ) {}

  @Serves(linkBackup)
  async link(@FromRequest() input: Input<typeof linkBackup>) {
    const { token } = await this.bus.call(linkBackup, input);
    return { url: `/api/backups/files/${token}` };
  }

  @Serves(locateInArchive)
  async content(
    @FromRequest() input: Input<typeof locateInArchive>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const part = await this.bus.call(locateInArchive, input);
    await this.parts.send(part, currentUser().sub, request, reply);
  }

  /** The address names the other archive `with`. */
  @Serves(compareArchives)
  compare(@Req() { query, params }: FastifyRequest) {
    const { with: other, ...rest } = Object(query);
    return this.bus.call(compareArchives, checkInput(compareArchives, { ...rest, other, ...Object(params) }));
  }
}
