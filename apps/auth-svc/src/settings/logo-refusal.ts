import { AppError } from '@vigie/contracts/errors';

export const logoRefusal = (reason: string) => new AppError('invalid', `Ce logo est refusé\u00a0: ${reason}`);

const maxPixels = 4_096;

/** A file of a few bytes can declare dimensions that fill a browser’s memory. */
export function refuseLargeSides(sides: readonly number[]): void {
  if (sides.some((side) => side > maxPixels)) throw logoRefusal(`il dépasse ${maxPixels} pixels de côté.`);
}
