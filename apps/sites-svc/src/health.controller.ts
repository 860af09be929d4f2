import { Controller } from '@nestjs/common';
import { checkSites } from '@vigie/contracts/health';
import { Handles } from '@vigie/service-kit/handles';
import { healthStatus } from '@vigie/service-kit/health';
import { DataSource } from 'typeorm';

@Controller()
export class HealthController {
  constructor(private readonly database: DataSource) {}

  @Handles(checkSites)
  async check() {
    await this.database.query('select 1');
    return healthStatus();
  }
}
