const bytesPerSecond = 1_048_576;
const framesPerSecond = 2_000;
/** A paste, or what a network that was away held back, comes at once. */
const burstSeconds = 4;

/** How much one websocket may say: whatever is more is a flood. */
export class InputBudget {
  private bytes = bytesPerSecond * burstSeconds;
  private frames = framesPerSecond * burstSeconds;
  private at = performance.now();

  /** False when there was more than may be. */
  spend(bytes: number, frames: number): boolean {
    const now = performance.now();
    const seconds = (now - this.at) / 1_000;
    this.at = now;
    this.bytes = Math.min(this.bytes + seconds * bytesPerSecond, bytesPerSecond * burstSeconds) - bytes;
    this.frames = Math.min(this.frames + seconds * framesPerSecond, framesPerSecond * burstSeconds) - frames;
    return this.bytes >= 0 && this.frames >= 0;
  }
}
