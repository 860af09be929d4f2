/** A file, an object of the store, or a file of a host: exactly these bytes, or an error. */
export type Source = { readonly size: number; read: (offset: number, length: number) => Promise<Buffer> };
