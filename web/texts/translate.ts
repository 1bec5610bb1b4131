import { loadServerWords, spoken } from './language'
import { sayKnown } from './say'
import type { ServerWords } from './texts'

interface Template { form: RegExp, text: string }

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const toForm = (english: string): RegExp =>
  new RegExp(`^${english.split(/(\{\w+\})/).map((part) => /^\{\w+\}$/.test(part)
    ? `(?<${part.slice(1, -1)}>[^]+?)`
    : escaped(part)).join('')}$`)

const templates = new WeakMap<Readonly<Record<string, string>>, Template[]>()

const templatesOf = (words: Readonly<Record<string, string>>): Template[] => {
  const known = templates.get(words) ?? Object.entries(words).filter(([english]) => english.includes('{'))
    .map(([english, text]) => ({ form: toForm(english), text }))
  templates.set(words, known)
  return known
}

/** What the server fills in itself: a state, and a reason in its own words; everything else is data. */
const fillIn = (kind: keyof ServerWords, name: string, value: string): string => {
  if (name === 'status') return sayKnown(`state.${value.toLowerCase()}`) ?? value
  return name === 'reason' ? translate(kind, value) : value
}

/**
 * @returns what the server says in English, in the language of the screen; in English itself, and where there is no
 *   translation, as the server says it
 */
export const translate = (kind: keyof ServerWords, english: string): string => {
  const words = spoken.value.server?.[kind]
  if (!words) {
    void loadServerWords()
    return english
  }
  if (Object.hasOwn(words, english)) return words[english] ?? english
  for (const { form, text } of templatesOf(words)) {
    const slots = form.exec(english)?.groups
    if (slots) return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => fillIn(kind, name, slots[name] ?? ''))
  }
  return english
}
