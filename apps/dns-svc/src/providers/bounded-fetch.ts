type Bounds = { timeoutMs: number; maxBytes: number };

/** The library’s timeout covers only the head of an answer, and its body has no size limit. */
export function boundFetch({ timeoutMs, maxBytes }: Bounds): typeof fetch {
  return async (input, init) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    const answer = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    return answer.body ? new Response(answer.body.pipeThrough(limit(maxBytes)), answer) : answer;
  };
}

function limit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (part, controller) => {
      bytes += part.byteLength;
      if (bytes > maxBytes) throw new RangeError(`an answer of more than ${maxBytes} bytes`);
      controller.enqueue(part);
    },
  });
}
