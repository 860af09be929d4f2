/** Far below the limits of the contracts, so that each answer comes well before its deadline. */
const partSize = 100;

/** Sends one part after the other, and stops at the first that fails: what earlier parts did stays done. */
export async function sendParts<Item, Answer>(
  items: readonly Item[],
  send: (part: Item[]) => Promise<Answer | undefined>,
): Promise<{ answers: Answer[]; isComplete: boolean }> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += partSize) {
    // Waits for each part, so that a failure leaves a known remainder.
    const answer = await send(items.slice(start, start + partSize));
    if (answer === undefined) return { answers, isComplete: false };
    answers.push(answer);
  }
  return { answers, isComplete: true };
}
