import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { searchZones } from '@vigie/contracts/search';
import { currentUser } from '@vigie/service-kit/context';
import { queryPrepared } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { hasWords, patternsOf, foldTextSql, rankOf } from '@vigie/service-kit/search';
import { DataSource } from 'typeorm';
import { reachableConfigs } from '../config/find-config';
import { loadZoneRefs } from '../zones/zone-refs';

type Row = { config_id: string; id: string; name: string; display_name: string };

@Controller()
export class SearchController {
  constructor(private readonly database: DataSource) {}

  @Handles(searchZones)
  async find({ q, limit }: Input<typeof searchZones>): Promise<Output<typeof searchZones>> {
    const patterns = patternsOf(q);
    if (!patterns) return { zones: [] };
    const { manager } = this.database;
    const configs = await reachableConfigs(manager);
    if (configs.length === 0) return { zones: [] };
    const own = configs.find(({ ownerId }) => ownerId === currentUser().sub);
    const ids = configs.map(({ id }) => id);
    const rows = await queryPrepared<Row>(manager, findZones, [...patterns, ids, own?.id ?? null, limit]);
    const refOf = await loadZoneRefs(manager, configs, rows);
    return { zones: rows.map(({ config_id: configId, ...zone }) => ({ ...zone, ...refOf(configId, zone.id) })) };
  }
}

const text = foldTextSql("(z.display_name || ' ' || z.name)");

const findZones = `
  select z.config_id, z.id, z.name, z.display_name from (
    select z.config_id, z.id, z.name, z.display_name, ${text} as text from zones z
    where z.config_id = any($4::uuid[]) and ${hasWords(text)} and (z.config_id = $5::uuid or not exists (
      select from zones own where own.config_id = $5::uuid and own.id = z.id))
  ) z order by ${rankOf('z.text')}, z.name, z.id, z.config_id limit $6`;
