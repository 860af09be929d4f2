import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { createSiteView, deleteSiteView, editSiteView, listSiteViews } from '@vigie/contracts/site-views';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/site-views')
export class SiteViewsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listSiteViews, 'user')
  list() {
    return this.bus.call(listSiteViews, {});
  }

  @Post()
  @HttpCode(201)
  @Calls(createSiteView, 'user')
  create(@FromRequest() input: Input<typeof createSiteView>) {
    return this.bus.call(createSiteView, input);
  }

  @Put(':id')
  @Calls(editSiteView, 'user')
  edit(@FromRequest() input: Input<typeof editSiteView>) {
    return this.bus.call(editSiteView, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @Calls(deleteSiteView, 'user')
  async delete(@FromRequest() input: Input<typeof deleteSiteView>) {
    await this.bus.call(deleteSiteView, input);
  }
}
