import { Controller } from '@nestjs/common';
import { checkAgent } from '@vigie/contracts/health';
import { Handles } from '@vigie/service-kit/handles';
import { healthStatus } from '@vigie/service-kit/health';

@Controller()
export class HealthController {
  @Handles(checkAgent)
  check() {
    return healthStatus();
  }
}
