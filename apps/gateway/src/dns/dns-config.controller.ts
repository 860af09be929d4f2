import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import {
  createDnsConfig,
  deleteDnsConfig,
  editDnsConfig,
  readDnsAccount,
  readDnsConfig,
  validateDnsConfig,
} from '@vigie/contracts/dns-config';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from '../routes';

@Controller('api/cloudflare')
export class DnsConfigController {
  constructor(private readonly bus: Bus) {}

  @Get('config')
  @Calls(readDnsConfig, 'user')
  read() {
    return this.bus.call(readDnsConfig, {});
  }

  @Post('config')
  @HttpCode(201)
  @Calls(createDnsConfig, 'user')
  create(@FromRequest() input: Input<typeof createDnsConfig>) {
    return this.bus.call(createDnsConfig, input);
  }

  @Put('config')
  @Calls(editDnsConfig, 'user')
  edit(@FromRequest() input: Input<typeof editDnsConfig>) {
    return this.bus.call(editDnsConfig, input);
  }

  @Delete('config')
  @HttpCode(204)
  @Calls(deleteDnsConfig, 'user')
  async delete() {
    await this.bus.call(deleteDnsConfig, {});
  }

  @Post('config/validate')
  @HttpCode(200)
  @Calls(validateDnsConfig, 'user')
  validate(@FromRequest() input: Input<typeof validateDnsConfig>) {
    return this.bus.call(validateDnsConfig, input);
  }

  @Get('account')
  @Calls(readDnsAccount, 'user')
  account() {
    return this.bus.call(readDnsAccount, {});
  }
}
