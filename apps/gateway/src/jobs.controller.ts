import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { cancelJob, listJobs, readJob, retryJob } from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/jobs')
export class JobsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listJobs, 'user')
  list(@FromRequest() input: Input<typeof listJobs>) {
    return this.bus.call(listJobs, input);
  }

  @Get(':id')
  @Calls(readJob, 'user')
  read(@FromRequest() input: Input<typeof readJob>) {
    return this.bus.call(readJob, input);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Calls(cancelJob, 'user')
  cancel(@FromRequest() input: Input<typeof cancelJob>) {
    return this.bus.call(cancelJob, input);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Calls(retryJob, 'user')
  retry(@FromRequest() input: Input<typeof retryJob>) {
    return this.bus.call(retryJob, input);
  }
}
