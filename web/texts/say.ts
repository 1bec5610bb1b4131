import type { ComponentChildren } from 'preact'
import { locale, spoken } from './language'
import type { Catalogue, SlotsOf } from './texts'

type AnyKey = keyof Catalogue
type Slots<K extends AnyKey> = Catalogue[K] extends infer Own
  ? Own extends string
    ? SlotsOf<Own>
    : Own extends { other: infer Many extends string } ? 'count' | SlotsOf<Many> : never
  : never

/** The key of a text without slots, which can be kept apart from where it is said. */
export type Key = { [K in AnyKey]: [Slots<K>] extends [never] ? K : never }[AnyKey]

type Values<K extends AnyKey, V> = [Slots<K>] extends [never]
  ? []
  : [values: { [Name in Slots<K>]: Name extends 'count' ? number : V }]

/** @returns the text in the language of the screen, in the plural form of `count` */
const find = (key: AnyKey, count: unknown): string => {
  const { language, texts } = spoken.value
  // The key of a part that no page on the screen has loaded: a defect, which shows where it is.
  const text = texts[key] ?? key
  if (typeof text === 'string') return text
  return new Intl.PluralRules(language).select(Number(count)) === 'one' ? text.one : text.other
}

/** @returns the text of a key that a value of the API is a part of; undefined where there is none */
export const sayKnown = (key: string): string | undefined => {
  const texts: Partial<Record<string, unknown>> = spoken.value.texts
  const text = texts[key]
  return typeof text === 'string' ? text : undefined
}

/** Numbers as the language of the screen writes them. */
const asText = (value: unknown): string =>
  typeof value === 'number' ? new Intl.NumberFormat(locale()).format(value) : String(value)

const slot = /\{(\w+)\}/

/** @returns a text of the catalogue; a component that calls it is drawn again in another language */
export const say = <K extends AnyKey>(key: K, ...[values]: Values<K, string | number>): string => {
  // The names of the slots are the keys.
  const given = (values ?? {}) as Record<string, unknown>
  return find(key, given.count).replaceAll(new RegExp(slot, 'g'), (_, name: string) => asText(given[name]))
}

/** @returns each of the texts, by the same names */
export const sayEach = <Name extends string>(keys: Readonly<Record<Name, Key>>): Record<Name, string> => {
  const names = Object.keys(keys) as Name[] // The keys of a record of names are names.
  // Each name gets its text.
  return Object.fromEntries(names.map((name) => [name, say(keys[name])])) as Record<Name, string>
}

/** @returns the same with elements, such as links, at its slots */
export const sayWith = <K extends AnyKey>(key: K, ...[values]: Values<K, ComponentChildren>): ComponentChildren[] => {
  const given = (values ?? {}) as Record<string, ComponentChildren> // The names of the slots are the keys.
  // Every second part is the name of a slot.
  return find(key, given.count).split(slot).map((part, index) => {
    if (index % 2 === 0) return part
    return typeof given[part] === 'number' ? asText(given[part]) : given[part]
  })
}
