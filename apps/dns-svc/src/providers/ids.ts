/** A provider’s id has the 32 digits of a UUID. */
export const toUuid = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const fromUuid = (uuid: string) => uuid.replaceAll('-', '');
