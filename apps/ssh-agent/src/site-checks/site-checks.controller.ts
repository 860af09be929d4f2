import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { visitSite } from '@vigie/contracts/site-checks';
import { Handles } from '@vigie/service-kit/handles';
import { ruleFor } from './rule-for';
import { visit } from './visit';

@Controller()
export class SiteChecksController {
  @Handles(visitSite)
  async visit({ url, ...owner }: Input<typeof visitSite>) {
    return visit(url, ruleFor(owner));
  }
}
