import { de } from './de.js'
import { es } from './es.js'
import { fr } from './fr.js'
import { ja } from './ja.js'

export type Language = 'de' | 'en' | 'es' | 'fr' | 'ja'

/** What the assistant says in English, in other languages. */
const translations = { de, es, fr, ja }

let spoken: Language = 'en'

/** An answer is made without a pause, so no other one comes between. @returns what `answer` makes, in this language */
export function speak<T> (language: Language, answer: () => T): T {
  spoken = language
  try {
    return answer()
  } finally {
    spoken = 'en'
  }
}

/** The language of the answer. */
export const language = (): Language => spoken
export const isEnglish = (): boolean => spoken === 'en'

/** Says a sentence in the language of the answer: phrase`${count} tasks run` is the key "{0} tasks run". */
export function phrase (texts: TemplateStringsArray, ...values: (string | number)[]): string {
  const english = texts.reduce((text, part, index) => `${text}{${index - 1}}${part}`)
  const text = spoken === 'en' ? english : translations[spoken][english] ?? english
  return text.replaceAll(/\{(\d)\}/g, (_, index) => String(values[Number(index)]))
}

const numbers = new Map<Language, Intl.NumberFormat>()

/** An amount with two decimals, as the language writes them. */
export function decimal (amount: number): string {
  const format = numbers.get(spoken) ??
    new Intl.NumberFormat(spoken, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false })
  numbers.set(spoken, format)
  return format.format(amount)
}
