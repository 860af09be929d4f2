import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { type SearchResults, searchFleet, searchZones } from '@vigie/contracts/search';
import { Bus } from '@vigie/service-kit/bus';
import { isNarrowed } from '@vigie/service-kit/context';
import { FromRequest, Serves } from './routes';

@Controller()
export class SearchController {
  constructor(private readonly bus: Bus) {}

  /** Searches both services at once. If one is away, the results of the other are returned. Zones belong to no group. */
  @Serves(searchFleet)
  async find(@FromRequest() input: Input<typeof searchFleet>): Promise<SearchResults> {
    const findZones = async () => (isNarrowed() ? { zones: [] } : this.bus.call(searchZones, input));
    const calls = [this.bus.call(searchFleet, input), findZones()] as const;
    const [fleet, zones] = await Promise.all([unlessUnavailable(calls[0]), unlessUnavailable(calls[1])]);
    if (!fleet && !zones) await calls[0];
    return {
      ...(fleet ?? { sites: [], servers: [], groups: [], plugins: [] }),
      ...(zones ?? { zones: [] }),
      away: [...(fleet ? [] : ['fleet' as const]), ...(zones ? [] : ['zones' as const])],
    };
  }
}

async function unlessUnavailable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return undefined;
    throw error;
  }
}
