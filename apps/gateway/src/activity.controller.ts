import { Controller, Get } from '@nestjs/common';
import { listActivity, listActivityChoices } from '@vigie/contracts/activity';
import type { Input } from '@vigie/contracts/contract';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/dashboard/activity')
export class ActivityController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listActivity, 'user')
  list(@FromRequest() input: Input<typeof listActivity>) {
    return this.bus.call(listActivity, input);
  }

  @Get('choices')
  @Calls(listActivityChoices, 'user')
  choices() {
    return this.bus.call(listActivityChoices, {});
  }
}
