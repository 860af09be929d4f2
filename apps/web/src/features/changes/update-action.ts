/** The button of an update plan. */
export const updateAction = { verb: 'Mettre à jour', one: 'élément', many: 'éléments' };
