import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  acknowledgeIncident,
  commentIncident,
  type Incident,
  listIncidents,
  muteIncident,
  readIncident,
  resolveIncident,
} from '@vigie/contracts/incidents';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { callerName } from '../owners/caller-name';
import { lockIncidents } from './conditions';
import { closeIncident } from './end-incidents';
import { findIncident } from './find-incident';
import { findIncidents, toIncidentItem } from './find-incidents';
import { addEvents } from './incident-events';

/** What is wrong now and what was, and what people do about it. */
@Controller()
export class IncidentsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotency: IdempotencyKeys,
  ) {}

  @Handles(listIncidents)
  async list(filters: Input<typeof listIncidents>): Promise<Output<typeof listIncidents>> {
    const { rows, total } = await findIncidents(this.database.manager, filters);
    return { items: rows.map(toIncidentItem), total };
  }

  @Handles(readIncident)
  read({ id }: Input<typeof readIncident>): Promise<Incident> {
    return findIncident(this.database.manager, id);
  }

  @Handles(acknowledgeIncident)
  acknowledge({ id }: Input<typeof acknowledgeIncident>): Promise<Incident> {
    return this.act(id, async (manager) => {
      const [changed]: [unknown[], number] = await manager.query(
        `update incidents set acknowledged_at = now(), acknowledged_by = $2
         where id = $1 and acknowledged_at is null and resolved_at is null returning id`,
        [id, callerName()],
      );
      if (changed.length > 0) await addEvents(manager, [{ incident_id: id, kind: 'acknowledged', by: callerName() }]);
    });
  }

  @Handles(muteIncident)
  mute({ id, minutes }: Input<typeof muteIncident>): Promise<Incident> {
    return this.act(id, async (manager) => {
      const until = minutes > 0 ? new Date(Date.now() + minutes * 60_000) : null;
      const [changed]: [unknown[], number] = await manager.query(
        `update incidents set muted_until = $2 where id = $1 and resolved_at is null
           and (muted_until is not null or $2::timestamptz is not null) returning id`,
        [id, until],
      );
      const kind = until ? 'muted' : 'unmuted';
      if (changed.length > 0) await addEvents(manager, [{ incident_id: id, kind, by: callerName(), until }]);
    });
  }

  @Handles(commentIncident)
  comment(input: Input<typeof commentIncident>): Promise<Incident> {
    return this.act(input.id, async (manager) => {
      const id = uuid();
      if ((await this.idempotency.claim(manager, commentIncident, input, id)) !== undefined) return;
      await addEvents(manager, [{ id, incident_id: input.id, kind: 'commented', by: callerName(), text: input.text }]);
    });
  }

  @Handles(resolveIncident)
  resolve({ id }: Input<typeof resolveIncident>): Promise<Incident> {
    return this.act(id, (manager) => closeIncident(manager, id, callerName()), keepSites);
  }

  /** Acts on an incident that the caller may act on, while nothing else changes it, and returns it as it is then. */
  private async act(
    id: string,
    work: Work,
    prepare?: (manager: EntityManager, id: string) => Promise<unknown>,
  ): Promise<Incident> {
    const { can_act: canAct } = await findIncident(this.database.manager, id);
    if (!canAct) throw cannotAct();
    return this.database.transaction(async (manager) => {
      await prepare?.(manager, id);
      await lockIncidents(manager);
      await work(manager);
      return findIncident(manager, id);
    });
  }
}

type Work = (manager: EntityManager) => Promise<void>;

/** Who deletes a site holds it, and its addresses, before the lock of incidents. */
const keepSites = (manager: EntityManager, id: string): Promise<unknown> =>
  manager.query(
    `select from sites where id in (select subject_id from incident_subjects where incident_id = $1 and until is null)
     order by id for key share`,
    [id],
  );

const cannotAct = () =>
  new AppError(
    'forbidden',
    'Vous n’avez pas le droit d’agir sur tout ce que cet incident touche\u00a0: demandez-le à son propriétaire.',
  );
