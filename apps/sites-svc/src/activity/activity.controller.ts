import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { listActivity } from '@vigie/contracts/activity';
import type { Input } from '@vigie/contracts/contract';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { Repository } from 'typeorm';
import { Activity, toActivityItem } from './activity.entity';

@Controller()
export class ActivityController {
  constructor(@InjectRepository(Activity) private readonly activity: Repository<Activity>) {}

  @Handles(listActivity)
  async list({ limit }: Input<typeof listActivity>) {
    const { sub, adminMode } = currentUser();
    const latest = await this.activity.find({
      where: adminMode ? {} : { ownerId: sub },
      order: { createdAt: 'desc', id: 'desc' },
      take: limit,
    });
    return { items: latest.map(toActivityItem) };
  }
}
