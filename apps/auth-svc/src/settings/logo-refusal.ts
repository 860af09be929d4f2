import { AppError } from '@vigie/contracts/errors';

export const logoRefusal = (why: string) => new AppError('invalid', `Ce logo est refusé\u00a0: ${why}`);
