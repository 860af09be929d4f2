import { Controller, Get } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { SearchResults, searchFleet, searchZones } from '@vigie/contracts/search';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/search')
export class SearchController {
  constructor(private readonly bus: Bus) {}

  /** Both at once; where one is away, what the other found is of use. */
  @Get()
  @Calls(searchFleet, 'user', SearchResults)
  async find(@FromRequest() input: Input<typeof searchFleet>): Promise<SearchResults> {
    const asked = [this.bus.call(searchFleet, input), this.bus.call(searchZones, input)] as const;
    const [fleet, zones] = await Promise.all([unlessAway(asked[0]), unlessAway(asked[1])]);
    if (!fleet && !zones) await asked[0];
    return {
      ...(fleet ?? { sites: [], servers: [], groups: [], plugins: [] }),
      ...(zones ?? { zones: [] }),
      away: [...(fleet ? [] : ['fleet' as const]), ...(zones ? [] : ['zones' as const])],
    };
  }
}

async function unlessAway<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return undefined;
    throw error;
  }
}
