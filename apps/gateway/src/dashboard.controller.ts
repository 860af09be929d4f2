import { Controller, Get } from '@nestjs/common';
import { readSummary, readTodo } from '@vigie/contracts/dashboard';
import { Bus } from '@vigie/service-kit/bus';
import { Calls } from './routes';

@Controller('api/dashboard')
export class DashboardController {
  constructor(private readonly bus: Bus) {}

  @Get('summary')
  @Calls(readSummary, 'user')
  summary() {
    return this.bus.call(readSummary, {});
  }

  @Get('todo')
  @Calls(readTodo, 'user')
  todo() {
    return this.bus.call(readTodo, {});
  }
}
