import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { readDomain } from '@vigie/contracts/domains';
import { Handles } from '@vigie/service-kit/handles';
import { outboundRule } from '@vigie/ssh/addresses';
import { env } from '../env';
import { Registries } from './registries';

/** Registries are public: only the installation itself names those of a private network. */
const mayConnect = outboundRule({ allowsPrivate: false, ranges: env.VIGIE_HTTP_ALLOW });

@Controller()
export class DomainsController {
  private readonly registries = new Registries(env.VIGIE_RDAP_URL, { mayConnect });

  @Handles(readDomain)
  read({ name }: Input<typeof readDomain>): Promise<Output<typeof readDomain>> {
    return this.registries.read(name);
  }
}
