/** On the button of a plan of updates. */
export const updating = { verb: 'Mettre à jour', one: 'élément', many: 'éléments' };
