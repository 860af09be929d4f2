/** Preloaded into a process: moves its clock by the milliseconds that the file of `TEST_CLOCK_FILE` holds. Timers stay. */
import { readFileSync } from 'node:fs';

const file = process.env['TEST_CLOCK_FILE'] ?? '';
const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'));

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
  static now() {
    return now();
  }
};
