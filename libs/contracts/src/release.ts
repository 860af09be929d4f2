/** The version that the footer shows and that services report. */
export const release = 'v1.4.31';
