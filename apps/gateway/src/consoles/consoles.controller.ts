import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allows } from '../routes';
import { ConsoleAdmission, type Place } from './console-admission';
import { ConsoleSockets } from './console-sockets';
import { asksForWebSocket, upgradeOf } from './upgrades';

@Controller('api')
export class ConsolesController {
  constructor(
    private readonly admission: ConsoleAdmission,
    private readonly sockets: ConsoleSockets,
  ) {}

  @Get('servers/:id/ws')
  @Allows('ticket')
  async openOnServer(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.open('server_id', request, reply);
  }

  @Get('sites/:id/ws')
  @Allows('ticket')
  async openOnSite(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.open('site_id', request, reply);
  }

  private async open(place: keyof Place, request: FastifyRequest, reply: FastifyReply) {
    const upgrade = upgradeOf(request.raw);
    if (!upgrade || !asksForWebSocket(request.raw))
      throw new AppError('invalid', 'Cette adresse s’ouvre par un WebSocket.');
    this.sockets.refuseWhenFull();
    const access = await this.admission.admit(request, place);
    reply.hijack();
    this.sockets.accept(request.raw, upgrade, access, request.context);
  }
}
