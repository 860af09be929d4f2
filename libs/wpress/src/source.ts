/** A file, a stored object, or a file of a host. `read` returns exactly these bytes or throws. */
export type Source = { readonly size: number; read: (offset: number, length: number) => Promise<Buffer> };
