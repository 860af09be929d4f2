import { Controller, Get } from '@nestjs/common';
import { readMe } from '@vigie/contracts/users';
import { Bus } from '@vigie/service-kit/bus';
import { Calls } from './routes';

@Controller('api/auth')
export class UsersController {
  constructor(private readonly bus: Bus) {}

  @Get('me')
  @Calls(readMe, 'user')
  me() {
    return this.bus.call(readMe, {});
  }
}
