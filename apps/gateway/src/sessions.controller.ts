import { Controller, Delete, Get, Headers, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { type Login, listSessions, login, logout, revokeSession, type Signup, signup } from '@vigie/contracts/sessions';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/auth')
export class SessionsController {
  constructor(private readonly bus: Bus) {}

  @Post('login')
  @HttpCode(200)
  @Calls(login, 'public')
  login(@FromRequest() input: Login, @Headers('user-agent') agent?: string) {
    return this.bus.call(login, { ...input, user_agent: agent?.slice(0, 256) });
  }

  @Post('signup')
  @HttpCode(201)
  @Calls(signup, 'public')
  signup(@FromRequest() input: Signup, @Headers('user-agent') agent?: string) {
    return this.bus.call(signup, { ...input, user_agent: agent?.slice(0, 256) });
  }

  @Post('logout')
  @HttpCode(200)
  @Calls(logout, 'enrolling')
  logout() {
    return this.bus.call(logout, {});
  }

  @Get('sessions')
  @Calls(listSessions, 'user')
  list() {
    return this.bus.call(listSessions, {});
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @Calls(revokeSession, 'user')
  async revoke(@FromRequest() input: Input<typeof revokeSession>) {
    await this.bus.call(revokeSession, input);
  }
}
