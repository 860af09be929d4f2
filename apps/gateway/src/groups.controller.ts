import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { createGroup, deleteGroup, editGroup, listGroups } from '@vigie/contracts/groups';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/groups')
export class GroupsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listGroups, 'user')
  list() {
    return this.bus.call(listGroups, {});
  }

  @Post()
  @HttpCode(201)
  @Calls(createGroup, 'user')
  create(@FromRequest() input: Input<typeof createGroup>) {
    return this.bus.call(createGroup, input);
  }

  @Put(':id')
  @Calls(editGroup, 'user')
  edit(@FromRequest() input: Input<typeof editGroup>) {
    return this.bus.call(editGroup, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @Calls(deleteGroup, 'user')
  async delete(@FromRequest() input: Input<typeof deleteGroup>) {
    await this.bus.call(deleteGroup, input);
  }
}
