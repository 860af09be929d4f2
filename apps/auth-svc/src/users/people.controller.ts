import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { describeUsers, findPerson, type Person } from '@vigie/contracts/users';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import { AttemptLimits } from '../sessions/attempt-limits';
import { toUserView, User } from './user.entity';

/** Users as others know them: by their name and address. */
@Controller()
export class PeopleController {
  constructor(
    private readonly database: DataSource,
    private readonly limits: AttemptLimits,
  ) {}

  @Handles(findPerson)
  async find({ email }: Input<typeof findPerson>): Promise<Person> {
    await this.limits.countLookup(currentUser().sub);
    const user = await this.database.manager.findOneBy(User, { email });
    if (user) return toUserView(user);
    throw new AppError(
      'not_found',
      `Personne n’a l’adresse ${email} dans Vigie. Demandez à un administrateur de créer ce compte.`,
    );
  }

  @Handles(describeUsers)
  async describe({ ids }: Input<typeof describeUsers>): Promise<Output<typeof describeUsers>> {
    const users = await this.database.manager.findBy(User, { id: In(ids) });
    return { users: users.map(toUserView) };
  }
}
