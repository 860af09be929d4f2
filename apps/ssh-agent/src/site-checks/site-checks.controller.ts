import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { askServer, visitSite } from '@vigie/contracts/site-checks';
import { Handles } from '@vigie/service-kit/handles';
import { Connections } from '../connections';
import { askFromServer } from './ask-server';
import { ruleFor } from './rule-for';
import { visit } from './visit';

@Controller()
export class SiteChecksController {
  constructor(private readonly connections: Connections) {}

  @Handles(visitSite)
  async visit({ url, ...owner }: Input<typeof visitSite>) {
    return visit(url, ruleFor(owner));
  }

  @Handles(askServer)
  async askServer(input: Input<typeof askServer>) {
    return askFromServer(this.connections, input);
  }
}
