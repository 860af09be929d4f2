import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import {
  type CreateUser,
  createUser,
  deleteUser,
  type EditUser,
  editUser,
  listUsers,
  readMe,
} from '@vigie/contracts/users';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { answerEnvelope } from './list-answers';
import { Calls, FromRequest } from './routes';

@Controller('api')
export class UsersController {
  constructor(private readonly bus: Bus) {}

  @Get('auth/me')
  @Calls(readMe, 'enrolling')
  me() {
    return this.bus.call(readMe, {});
  }

  @Get('admin/users')
  @Calls(listUsers, 'admin')
  list(@FromRequest() input: Input<typeof listUsers>, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerEnvelope('items', input, reply, (part) => this.bus.call(listUsers, { ...input, ...part }));
  }

  @Post('admin/users')
  @HttpCode(201)
  @Calls(createUser, 'admin')
  create(@FromRequest() input: CreateUser) {
    return this.bus.call(createUser, input);
  }

  @Put('admin/users/:id')
  @Calls(editUser, 'admin')
  edit(@FromRequest() input: EditUser) {
    return this.bus.call(editUser, input);
  }

  @Delete('admin/users/:id')
  @HttpCode(204)
  @Calls(deleteUser, 'admin')
  async delete(@FromRequest() input: Input<typeof deleteUser>) {
    await this.bus.call(deleteUser, input);
  }
}
