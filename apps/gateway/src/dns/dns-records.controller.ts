import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import {
  applyDnsChanges,
  exportDnsZone,
  importDnsZone,
  previewDnsChanges,
  previewDnsImport,
} from '@vigie/contracts/dns-changes';
import { lintDnsZone } from '@vigie/contracts/dns-lint';
import {
  createDnsRecord,
  createSubdomain,
  deleteDnsRecord,
  editDnsRecord,
  listDnsRecords,
  readDnsRecord,
} from '@vigie/contracts/dns-records';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { answerEnvelope } from '../list-answers';
import { Calls, FromRequest } from '../routes';

@Controller('api/cloudflare/zones/:zone_id')
export class DnsRecordsController {
  constructor(private readonly bus: Bus) {}

  @Get('dns')
  @Calls(listDnsRecords, 'user')
  list(
    @FromRequest() input: Input<typeof listDnsRecords>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Output<typeof listDnsRecords>> {
    return answerEnvelope<'records', Output<typeof listDnsRecords>>('records', input, reply, (part, first) =>
      this.bus.call(listDnsRecords, { ...input, ...part, ...(first && { version: first.version }) }),
    );
  }

  @Post('dns')
  @HttpCode(201)
  @Calls(createDnsRecord, 'user')
  create(@FromRequest() input: Input<typeof createDnsRecord>) {
    return this.bus.call(createDnsRecord, input);
  }

  @Post('subdomain')
  @HttpCode(201)
  @Calls(createSubdomain, 'user')
  createSubdomain(@FromRequest() input: Input<typeof createSubdomain>) {
    return this.bus.call(createSubdomain, input);
  }

  @Post('dns/preview')
  @HttpCode(200)
  @Calls(previewDnsChanges, 'user')
  preview(@FromRequest() input: Input<typeof previewDnsChanges>) {
    return this.bus.call(previewDnsChanges, input);
  }

  @Post('dns/bulk')
  @HttpCode(200)
  @Calls(applyDnsChanges, 'user')
  apply(@FromRequest() input: Input<typeof applyDnsChanges>) {
    return this.bus.call(applyDnsChanges, input);
  }

  @Get('dns/export')
  @Calls(exportDnsZone, 'user')
  export(@FromRequest() input: Input<typeof exportDnsZone>) {
    return this.bus.call(exportDnsZone, input);
  }

  @Post('dns/import/preview')
  @HttpCode(200)
  @Calls(previewDnsImport, 'user')
  previewImport(@FromRequest() input: Input<typeof previewDnsImport>) {
    return this.bus.call(previewDnsImport, input);
  }

  @Post('dns/import')
  @HttpCode(200)
  @Calls(importDnsZone, 'user')
  import(@FromRequest() input: Input<typeof importDnsZone>) {
    return this.bus.call(importDnsZone, input);
  }

  @Get('dns/lint')
  @Calls(lintDnsZone, 'user')
  lint(@FromRequest() input: Input<typeof lintDnsZone>) {
    return this.bus.call(lintDnsZone, input);
  }

  @Get('dns/:record_id')
  @Calls(readDnsRecord, 'user')
  read(@FromRequest() input: Input<typeof readDnsRecord>) {
    return this.bus.call(readDnsRecord, input);
  }

  @Put('dns/:record_id')
  @Calls(editDnsRecord, 'user')
  edit(@FromRequest() input: Input<typeof editDnsRecord>) {
    return this.bus.call(editDnsRecord, input);
  }

  @Delete('dns/:record_id')
  @HttpCode(204)
  @Calls(deleteDnsRecord, 'user')
  async delete(@FromRequest() input: Input<typeof deleteDnsRecord>) {
    await this.bus.call(deleteDnsRecord, input);
  }
}
