import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { endConsole, issueTicket, listConsoles } from '@vigie/contracts/consoles';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allows, Calls, FromRequest } from '../routes';
import { ConsoleAdmission } from './console-admission';
import { ConsoleSockets } from './console-sockets';
import { asksForWebSocket, upgradeOf } from './upgrades';

@Controller('api')
export class ConsolesController {
  constructor(
    private readonly bus: Bus,
    private readonly admission: ConsoleAdmission,
    private readonly sockets: ConsoleSockets,
  ) {}

  @Post('servers/:id/ws-ticket')
  @HttpCode(200)
  @Calls(issueTicket, 'fresh')
  ticket(@FromRequest() input: Input<typeof issueTicket>) {
    return this.bus.call(issueTicket, input);
  }

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

  @Get('consoles')
  @Calls(listConsoles, 'user')
  list() {
    return this.bus.call(listConsoles, {});
  }

  @Delete('consoles/:id')
  @HttpCode(204)
  @Calls(endConsole, 'user')
  async end(@FromRequest() input: Input<typeof endConsole>) {
    await this.bus.call(endConsole, input);
  }
}
