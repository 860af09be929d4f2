import { Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { linkZone, listFreeSites, listSiteZones, suggestLinks, unlinkZone } from '@vigie/contracts/dns-mapping';
import { createDnsZone, listDnsZones, readDnsZone } from '@vigie/contracts/dns-zones';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { answerEnvelope } from '../list-answers';
import { Calls, FromRequest } from '../routes';

@Controller('api/cloudflare')
export class DnsZonesController {
  constructor(private readonly bus: Bus) {}

  @Get('zones')
  @Calls(listDnsZones, 'user')
  list(
    @FromRequest() input: Input<typeof listDnsZones>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Output<typeof listDnsZones>> {
    return answerEnvelope('zones', input, reply, (part) => this.bus.call(listDnsZones, { ...input, ...part }));
  }

  @Post('zones')
  @HttpCode(201)
  @Calls(createDnsZone, 'user')
  create(@FromRequest() input: Input<typeof createDnsZone>) {
    return this.bus.call(createDnsZone, input);
  }

  @Get('zones/:id')
  @Calls(readDnsZone, 'user')
  read(@FromRequest() input: Input<typeof readDnsZone>) {
    return this.bus.call(readDnsZone, input);
  }

  @Post('zones/:zone_id/link/:site_id')
  @HttpCode(200)
  @Calls(linkZone, 'user')
  link(@FromRequest() input: Input<typeof linkZone>) {
    return this.bus.call(linkZone, input);
  }

  @Get('sites/zones')
  @Calls(listSiteZones, 'user')
  siteZones(
    @FromRequest() input: Input<typeof listSiteZones>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Output<typeof listSiteZones>> {
    return answerEnvelope('site_zones', input, reply, (part) => this.bus.call(listSiteZones, { ...input, ...part }));
  }

  @Get('sites/free')
  @Calls(listFreeSites, 'user')
  freeSites(@FromRequest() input: Input<typeof listFreeSites>) {
    return this.bus.call(listFreeSites, input);
  }

  @Get('sites/suggestions')
  @Calls(suggestLinks, 'user')
  suggestLinks() {
    return this.bus.call(suggestLinks, {});
  }

  @Delete('sites/:site_id/zone')
  @HttpCode(204)
  @Calls(unlinkZone, 'user')
  async unlink(@FromRequest() input: Input<typeof unlinkZone>) {
    await this.bus.call(unlinkZone, input);
  }
}
