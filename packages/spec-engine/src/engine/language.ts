/** Function words by language. Those above the line are read; the others are recognised and refused. */
const words: Record<string, readonly string[]> = {
  en: 'the a an of and to in is are for on with by be that this it not as from when if shall must should'.split(' '),
  de: ('der die das und ist nicht ein eine einen mit für von zu den dem des im auf werden wird muss müssen soll darf ' +
    'dürfen wenn bei sind wer').split(' '),
  fr: 'le la les des est une dans pour du et par sur ne pas doit doivent au aux si un de qui sont'.split(' '),
  es: 'el los las una es con por para que del se debe deben al si no un en y de quién son la'.split(' '),
  it: 'il lo gli della delle che è per con non deve devono sono una nel dei'.split(' '),
  pt: 'o os uma não deve devem são com para dos das ao pelo que é'.split(' '),
  nl: 'het een en van de niet voor met moet moeten zijn wordt op worden'.split(' '),
  pl: 'i w na nie jest musi muszą się do z oraz dla'.split(' '),
  sv: 'och att det som en ett är inte ska måste för med på'.split(' ')
}
export const readLanguages = ['en', 'de', 'fr', 'es'] as const
export type ReadLanguage = typeof readLanguages[number]

/** The languages that have a word. */
const languagesOf = new Map<string, string[]>()
for (const [language, list] of Object.entries(words)) {
  for (const word of list) languagesOf.set(word, [...languagesOf.get(word) ?? [], language])
}
const isRead = (language: string): language is ReadLanguage => readLanguages.some((one) => one === language)

/** Characters that are looked at; more do not change the answer. */
const sample = 6_000
const latin = /\p{Script=Latin}/gu

interface Score { language: string, count: number }

/** Without other letters a simpler expression finds the same words, several times as fast. */
const lettersOf = (text: string): readonly string[] =>
  (/^[\0-\x7f]*$/.test(text) ? text.match(/[a-z]+/g) : text.match(/\p{L}+/gu)) ?? []

const ranked = (text: string): Score[] => {
  const counts = new Map<string, number>()
  for (const word of lettersOf(text.slice(0, sample).toLowerCase())) {
    for (const language of languagesOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts].map(([language, count]) => ({ language, count })).sort((one, other) => other.count - one.count)
}

/**
 * @returns the language of a text: one that is read, `other` for one that is not, undefined where too little shows it
 */
export const textLanguage = (text: string): ReadLanguage | 'other' | undefined => {
  const part = text.slice(0, sample)
  const letters = part.match(/\p{L}/gu)?.length ?? 0
  if (letters > 20 && (part.match(latin)?.length ?? 0) < letters * 2 / 3) return 'other'
  const [best, second] = ranked(part)
  if (!best || best.count < 3 || best.count === second?.count) return undefined
  return isRead(best.language) ? best.language : 'other'
}

/** @returns the language of a sentence in a text of the given one; it needs more evidence than a text */
export const sentenceLanguage = (sentence: string, usual: ReadLanguage): ReadLanguage => {
  const scores = ranked(sentence)
  const [best] = scores
  const own = scores.find(({ language }) => language === usual)?.count ?? 0
  return best && isRead(best.language) && best.count >= 2 && best.count > own + 1 ? best.language : usual
}

/** @returns the read language of a locale, English where it has none */
export const languageOf = (locale: string): ReadLanguage => {
  const language = locale.split('-')[0]?.toLowerCase() ?? ''
  return isRead(language) ? language : 'en'
}
