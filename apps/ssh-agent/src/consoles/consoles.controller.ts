import { Controller } from '@nestjs/common';
import { startConsole } from '@vigie/contracts/shells';
import type { Input } from '@vigie/contracts/contract';
import { Handles } from '@vigie/service-kit/handles';
import { Consoles } from './consoles';

@Controller()
export class ConsolesController {
  constructor(private readonly consoles: Consoles) {}

  @Handles(startConsole)
  async start(input: Input<typeof startConsole>) {
    await this.consoles.start(input);
    return {};
  }
}
