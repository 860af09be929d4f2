import { readUptime } from '@vigie/contracts/uptime';
import { uptimeQueries } from '../../kit/fleet/uptime';
import { queryOf } from '../../kit/query/endpoints';

export const uptimeApi = uptimeQueries.injectEndpoints({
  endpoints: (build) => ({ uptime: build.query(queryOf(readUptime)) }),
});
