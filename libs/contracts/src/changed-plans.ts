import { AppError } from './errors';

export const changedPlan = 'plan_changed';

/** The refusal of an order that is bound to a plan which no longer holds. */
export const planChanged = (message: string): AppError => new AppError('conflict', { message, code: changedPlan });

export const isPlanChanged = (error: unknown): boolean =>
  error instanceof AppError && typeof error.detail === 'object' && error.detail.code === changedPlan;
