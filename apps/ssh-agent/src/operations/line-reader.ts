import { StringDecoder } from 'node:string_decoder';

/** Makes lines of the bytes of a progress file, each once, and knows where to go on from. */
export class LineReader {
  offset = 0;
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onLine: (line: string) => void = () => undefined) {}

  read(bytes: Buffer): void {
    this.offset += bytes.length;
    const lines = (this.rest + this.decoder.write(bytes)).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.onLine(line);
  }
}
