import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allows } from '../routes';
import { ConsoleAdmission } from './console-admission';
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
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const upgrade = upgradeOf(request.raw);
    if (!upgrade || !asksForWebSocket(request.raw))
      throw new AppError('invalid', 'Cette adresse s’ouvre par un WebSocket.');
    this.sockets.refuseWhenFull();
    const access = await this.admission.admit(request);
    reply.hijack();
    this.sockets.accept(request.raw, upgrade, access, request.context);
  }
}
