import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { searchZones } from '@vigie/contracts/search';
import { Handles } from '@vigie/service-kit/handles';
import { hasWords, patternsOf, plainSql, rankOf } from '@vigie/service-kit/search';
import { DataSource } from 'typeorm';
import { reachableConfigs } from '../config/find-config';

@Controller()
export class SearchController {
  constructor(private readonly database: DataSource) {}

  @Handles(searchZones)
  async find({ q, limit }: Input<typeof searchZones>): Promise<Output<typeof searchZones>> {
    const patterns = patternsOf(q);
    if (!patterns) return { zones: [] };
    const ids = (await reachableConfigs(this.database.manager)).map(({ id }) => id);
    return { zones: await this.database.query(findZones, [...patterns, ids, limit]) };
  }
}

const text = plainSql("(z.display_name || ' ' || z.name)");

/** Each once, however many configurations reach it. */
const findZones = `
  select z.id, z.name, z.display_name from (
    select distinct on (z.id) z.id, z.name, z.display_name, ${text} as text from zones z
    where z.config_id = any($4::uuid[]) and ${hasWords(text)} order by z.id
  ) z order by ${rankOf('z.text')}, z.name, z.id limit $5`;
