import type { Visit } from '@vigie/contracts/site-checks';
import { outboundRule } from '@vigie/ssh/addresses';
import { env } from '../env';

/** The addresses that a visit on behalf of this owner may connect to. */
export const ruleFor = ({ allows_private: allowsPrivate }: Pick<Visit, 'allows_private'>) =>
  outboundRule({ allowsPrivate, ranges: env.VIGIE_HTTP_ALLOW });
