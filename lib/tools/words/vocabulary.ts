/**
 * What people say for what tools do and act on, by the English word that names, keywords and descriptions have. Words
 * are separated by spaces, and compared by their stems; `take_off` is a phrase, whose words stand in this order with at
 * most five others between.
 */
export type Vocabulary = Readonly<Record<string, string>>
