import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Login, Signup } from '@vigie/contracts/sessions';
import { login, logout, signup } from '@vigie/contracts/sessions';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/auth')
export class SessionsController {
  constructor(private readonly bus: Bus) {}

  @Post('login')
  @HttpCode(200)
  @Calls(login, 'public')
  login(@FromRequest() input: Login) {
    return this.bus.call(login, input);
  }

  @Post('signup')
  @HttpCode(201)
  @Calls(signup, 'public')
  signup(@FromRequest() input: Signup) {
    return this.bus.call(signup, input);
  }

  @Post('logout')
  @HttpCode(200)
  @Calls(logout, 'user')
  logout() {
    return this.bus.call(logout, {});
  }
}
