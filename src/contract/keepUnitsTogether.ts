const NUMBER_AND_UNIT = /(\d) (?=\p{L}{1,3}(?!\p{L}))/gu;

/** Puts no-break spaces between numbers and their units, so that "500 g" stays on one line. */
export const keepUnitsTogether = (name: string) => name.replace(NUMBER_AND_UNIT, '$1\u00a0');
