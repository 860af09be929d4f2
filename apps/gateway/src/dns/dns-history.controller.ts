import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import {
  acceptDnsDrift,
  listDnsSnapshots,
  listSnapshotRecords,
  readDnsSnapshot,
  revertDnsZone,
} from '@vigie/contracts/dns-history';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { answerEnvelope } from '../list-answers';
import { Calls, FromRequest } from '../routes';

@Controller('api/cloudflare/zones/:zone_id/history')
export class DnsHistoryController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listDnsSnapshots, 'user')
  list(@FromRequest() input: Input<typeof listDnsSnapshots>) {
    return this.bus.call(listDnsSnapshots, input);
  }

  @Get(':snapshot_id')
  @Calls(readDnsSnapshot, 'user')
  read(@FromRequest() input: Input<typeof readDnsSnapshot>) {
    return this.bus.call(readDnsSnapshot, input);
  }

  @Get(':snapshot_id/records')
  @Calls(listSnapshotRecords, 'user')
  records(
    @FromRequest() input: Input<typeof listSnapshotRecords>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Output<typeof listSnapshotRecords>> {
    return answerEnvelope('records', input, reply, (part) => this.bus.call(listSnapshotRecords, { ...input, ...part }));
  }

  @Post(':snapshot_id/revert')
  @HttpCode(200)
  @Calls(revertDnsZone, 'user')
  revert(@FromRequest() input: Input<typeof revertDnsZone>) {
    return this.bus.call(revertDnsZone, input);
  }

  @Post(':snapshot_id/accept')
  @HttpCode(200)
  @Calls(acceptDnsDrift, 'user')
  accept(@FromRequest() input: Input<typeof acceptDnsDrift>) {
    return this.bus.call(acceptDnsDrift, input);
  }
}
