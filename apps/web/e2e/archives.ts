/** Builds a .wpress archive without checksums. Each file has a header of 4377 bytes, and as many zeros end the archive. */
export function anArchive(contents: Record<string, Buffer>): Buffer {
  const parts = Object.entries(contents).flatMap(([path, content]) => {
    const header = Buffer.alloc(4_377);
    const slash = path.lastIndexOf('/');
    header.write(path.slice(slash + 1), 0);
    header.write(String(content.length), 255);
    header.write('1767000000', 269);
    header.write(slash < 0 ? '.' : path.slice(0, slash), 281);
    return [header, content];
  });
  return Buffer.concat([...parts, Buffer.alloc(4_377)]);
}
