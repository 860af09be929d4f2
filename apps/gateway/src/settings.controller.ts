import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { readAppSettings, type SaveAppSettings, saveAppSettings } from '@vigie/contracts/settings';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/settings/app')
export class SettingsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(readAppSettings, 'guest')
  read() {
    return this.bus.call(readAppSettings, {});
  }

  @Post()
  @HttpCode(200)
  @Calls(saveAppSettings, 'admin')
  save(@FromRequest() input: SaveAppSettings) {
    return this.bus.call(saveAppSettings, input);
  }
}
