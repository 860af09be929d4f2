import { Controller, Headers } from '@nestjs/common';
import { loginWithPasskey, type LoginWithPasskey } from '@vigie/contracts/passkey-logins';
import { type Login, login, type Signup, signup } from '@vigie/contracts/sessions';
import { Bus } from '@vigie/service-kit/bus';
import { FromRequest, Serves } from './routes';

/** The calls that open a session, which is shown with the name of its browser. */
@Controller()
export class SessionsController {
  constructor(private readonly bus: Bus) {}

  @Serves(login)
  login(@FromRequest() input: Login, @Headers('user-agent') agent?: string) {
    return this.bus.call(login, { ...input, user_agent: agent?.slice(0, 256) });
  }

  @Serves(loginWithPasskey)
  loginWithPasskey(@FromRequest() input: LoginWithPasskey, @Headers('user-agent') agent?: string) {
    return this.bus.call(loginWithPasskey, { ...input, user_agent: agent?.slice(0, 256) });
  }

  @Serves(signup)
  signup(@FromRequest() input: Signup, @Headers('user-agent') agent?: string) {
    return this.bus.call(signup, { ...input, user_agent: agent?.slice(0, 256) });
  }
}
