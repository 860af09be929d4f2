import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  listMails,
  readNotifications,
  type SaveNotifications,
  saveNotifications,
  type TestNotifications,
  testNotifications,
} from '@vigie/contracts/notifications';
import { Bus } from '@vigie/service-kit/bus';
import { Calls, FromRequest } from './routes';

@Controller('api/settings/notifications')
export class NotificationsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(readNotifications, 'user')
  read() {
    return this.bus.call(readNotifications, {});
  }

  @Post()
  @HttpCode(200)
  @Calls(saveNotifications, 'admin')
  save(@FromRequest() input: SaveNotifications) {
    return this.bus.call(saveNotifications, input);
  }

  @Post('test')
  @HttpCode(200)
  @Calls(testNotifications, 'user')
  test(@FromRequest() input: TestNotifications) {
    return this.bus.call(testNotifications, input);
  }

  @Get('mails')
  @Calls(listMails, 'admin')
  mails() {
    return this.bus.call(listMails, {});
  }
}
