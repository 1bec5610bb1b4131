/** The approximate tokens of a text: the API counts about one for four characters. */
export const tokensOf = (text: string) => Math.ceil(text.length / 4)
