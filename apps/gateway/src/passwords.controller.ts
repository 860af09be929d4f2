import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { changePassword, forgotPassword, resetPassword } from '@vigie/contracts/passwords';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/auth')
export class PasswordsController {
  constructor(private readonly bus: Bus) {}

  @Post('change_password')
  @HttpCode(200)
  @Calls(changePassword, 'user')
  change(@FromRequest() input: Input<typeof changePassword>) {
    return this.bus.call(changePassword, input);
  }

  @Post('forgot')
  @HttpCode(200)
  @Calls(forgotPassword, 'public')
  forgot(@FromRequest() input: Input<typeof forgotPassword>) {
    return this.bus.call(forgotPassword, input);
  }

  @Post('reset')
  @HttpCode(200)
  @Calls(resetPassword, 'public')
  reset(@FromRequest() input: Input<typeof resetPassword>) {
    return this.bus.call(resetPassword, input);
  }
}
