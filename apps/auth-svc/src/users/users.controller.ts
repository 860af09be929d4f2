import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@vigie/contracts/errors';
import { readMe } from '@vigie/contracts/users';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { Repository } from 'typeorm';
import { toUserView, User } from './user.entity';

@Controller()
export class UsersController {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  @Handles(readMe)
  async me() {
    const user = await this.users.findOneBy({ id: currentUser().sub });
    if (!user) throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
    return toUserView(user);
  }
}
