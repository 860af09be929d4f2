import { AppError } from '@vigie/contracts/errors';

export const logoRefusal = (why: string) => new AppError('invalid', `Ce logo est refusé\u00a0: ${why}`);

const maxPixels = 4_096;

/** A few bytes may claim to be a picture that fills a browser's memory. */
export function refuseLargeSides(sides: readonly number[]): void {
  if (sides.some((side) => side > maxPixels)) throw logoRefusal(`il dépasse ${maxPixels} pixels de côté.`);
}
