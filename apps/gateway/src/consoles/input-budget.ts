const bytesPerSecond = 1_048_576;
const framesPerSecond = 2_000;
/** A paste, or input held back by a network failure, arrives at once. */
const burstSeconds = 4;

/** Limits the input of one WebSocket; more is a flood. */
export class InputBudget {
  private bytes = bytesPerSecond * burstSeconds;
  private frames = framesPerSecond * burstSeconds;
  private at = performance.now();

  /** Returns false when the budget is exceeded. */
  spend(bytes: number, frames: number): boolean {
    const now = performance.now();
    const seconds = (now - this.at) / 1_000;
    this.at = now;
    this.bytes = Math.min(this.bytes + seconds * bytesPerSecond, bytesPerSecond * burstSeconds) - bytes;
    this.frames = Math.min(this.frames + seconds * framesPerSecond, framesPerSecond * burstSeconds) - frames;
    return this.bytes >= 0 && this.frames >= 0;
  }
}
