import type { DataSource } from 'typeorm';
import { doubtSamplesSince } from '../visit-history/samples';
import { lockIncidents } from './conditions';
import { endLeft, endRecovered } from './end-incidents';
import { openIncidents } from './open-incidents';

/** The first third of the sites fails before it is known that the network is cut. */
const onsetMs = 180_000;

/** Opens and ends incidents where enough checks were counted. */
export const updateIncidents = (database: DataSource): Promise<void> =>
  database.transaction(async (manager) => {
    await lockIncidents(manager);
    await endLeft(manager);
    const opened = await openIncidents(manager);
    const cut = opened.find(({ kind }) => kind === 'network');
    if (cut) await doubtSamplesSince(manager, new Date(cut.since.getTime() - onsetMs));
    await endRecovered(manager);
  });
