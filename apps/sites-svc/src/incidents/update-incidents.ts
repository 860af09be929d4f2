import type { DataSource } from 'typeorm';
import { checkSeconds } from '../sweeps/schedule';
import { lockIncidents } from './conditions';
import { endRecovered } from './end-incidents';
import { type Opened, openIncidents } from './open-incidents';

/** Opens and ends incidents where enough checks were counted. Returns what was opened, or grew. */
export const updateIncidents = (database: DataSource): Promise<Opened[]> =>
  database.transaction(async (manager) => {
    await lockIncidents(manager);
    const seconds = { sites: checkSeconds('site-visit'), servers: checkSeconds('server-health') };
    const opened = await openIncidents(manager, seconds);
    await endRecovered(manager);
    return opened;
  });
