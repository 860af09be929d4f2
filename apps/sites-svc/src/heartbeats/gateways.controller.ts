import { Controller } from '@nestjs/common';
import { reportGateway } from '@vigie/contracts/health';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';

/** Every replica knows from one row that a gateway lives. */
@Controller()
export class GatewaysController {
  constructor(private readonly database: DataSource) {}

  @Handles(reportGateway)
  async report() {
    await this.database.query(
      'insert into gateway_reports (reported_at) values (now()) on conflict (id) do update set reported_at = now()',
    );
    return {};
  }
}
