/** The time zone of this browser. */
export const { timeZone: ownTimeZone } = new Intl.DateTimeFormat().resolvedOptions();
