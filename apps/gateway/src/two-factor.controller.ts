import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import {
  disableTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  resetTwoFactor,
  setUpTwoFactor,
  verifyTwoFactor,
} from '@vigie/contracts/two-factor';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api')
export class TwoFactorController {
  constructor(private readonly bus: Bus) {}

  @Get('auth/2fa/status')
  @Calls(readTwoFactor, 'security')
  status() {
    return this.bus.call(readTwoFactor, {});
  }

  @Post('auth/2fa/setup')
  @HttpCode(200)
  @Calls(setUpTwoFactor, 'security')
  setUp() {
    return this.bus.call(setUpTwoFactor, {});
  }

  @Post('auth/2fa/verify')
  @HttpCode(200)
  @Calls(verifyTwoFactor, 'security')
  verify(@FromRequest() input: Input<typeof verifyTwoFactor>) {
    return this.bus.call(verifyTwoFactor, input);
  }

  @Post('auth/2fa/disable')
  @HttpCode(200)
  @Calls(disableTwoFactor, 'security')
  disable(@FromRequest() input: Input<typeof disableTwoFactor>) {
    return this.bus.call(disableTwoFactor, input);
  }

  @Post('auth/2fa/backup_codes')
  @HttpCode(200)
  @Calls(renewRecoveryCodes, 'security')
  renewCodes(@FromRequest() input: Input<typeof renewRecoveryCodes>) {
    return this.bus.call(renewRecoveryCodes, input);
  }

  @Delete('admin/users/:id/2fa')
  @HttpCode(204)
  @Calls(resetTwoFactor, 'admin')
  async reset(@FromRequest() input: Input<typeof resetTwoFactor>) {
    await this.bus.call(resetTwoFactor, input);
  }
}
