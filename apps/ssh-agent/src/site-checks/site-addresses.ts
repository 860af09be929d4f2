import type { LookupAddress } from 'node:dns';
import { maxAddresses } from '@vigie/contracts/site-checks';
import type { OutboundRule, Resolve } from './guarded-request';
import { failureCode } from './request-failures';

/** Empty where the name has no address; null where the look-up says nothing of it, or nothing that may be told. */
export type SiteAddresses = string[] | null;

type Options = { resolve: Resolve; mayConnect: OutboundRule; report: (found: SiteAddresses) => void };

/** Reports what the look-ups of one name find, which are made anyway. What Vigie may not connect to is nobody's business. */
export function reportAddresses(name: string, { resolve, mayConnect, report }: Options): Resolve {
  return (wanted, done) =>
    resolve(wanted, (error, found) => {
      if (wanted === name) report(addressesOf(error, found, mayConnect));
      done(error, found);
    });
}

function addressesOf(error: Error | null, found: LookupAddress[], mayConnect: OutboundRule): SiteAddresses {
  if (error) return failureCode(error) === 'ENOTFOUND' ? [] : null;
  const allowed = new Set(found.map(({ address }) => address).filter((address) => mayConnect(address)));
  // A zone may have hundreds: the first ones in this order are the same at each visit.
  return allowed.size > 0 ? [...allowed].toSorted().slice(0, maxAddresses) : null;
}
