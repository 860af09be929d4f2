/** The button of an update plan. */
export const updating = { verb: 'Mettre à jour', one: 'élément', many: 'éléments' };
