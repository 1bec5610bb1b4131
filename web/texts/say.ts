import type { ComponentChildren } from 'preact'
import type { en } from './en'
import { spoken } from './language'
import type { PlacesOf } from './texts'

type AnyKey = keyof typeof en
type Places<K extends AnyKey> = (typeof en)[K] extends infer Own
  ? Own extends string
    ? PlacesOf<Own>
    : Own extends { other: infer Many extends string } ? 'count' | PlacesOf<Many> : never
  : never

/** The key of a text without places, which can be kept apart from where it is said. */
export type Key = { [K in AnyKey]: [Places<K>] extends [never] ? K : never }[AnyKey]

type Values<K extends AnyKey, V> = [Places<K>] extends [never]
  ? []
  : [values: { [Name in Places<K>]: Name extends 'count' ? number : V }]

/** @returns the text in the language of the screen, in the plural form of `count` */
const find = (key: AnyKey, count: unknown): string => {
  const { language, texts } = spoken.value
  const text = texts[key]
  if (typeof text === 'string') return text
  return new Intl.PluralRules(language).select(Number(count)) === 'one' ? text.one : text.other
}

/** Numbers as the language of the screen writes them. */
const asText = (value: unknown): string =>
  typeof value === 'number' ? new Intl.NumberFormat(spoken.value.language).format(value) : String(value)

const place = /\{(\w+)\}/

/** @returns a text of the catalogue; a component that calls it is drawn again in another language */
export const say = <K extends AnyKey>(key: K, ...[values]: Values<K, string | number>): string => {
  // The names of the places are the keys.
  const given = (values ?? {}) as Record<string, unknown>
  return find(key, given.count).replaceAll(new RegExp(place, 'g'), (_, name: string) => asText(given[name]))
}

/** @returns the same with elements, such as links, at its places */
export const sayWith = <K extends AnyKey>(key: K, ...[values]: Values<K, ComponentChildren>): ComponentChildren[] => {
  const given = (values ?? {}) as Record<string, ComponentChildren> // The names of the places are the keys.
  // Every second part is the name of a place.
  return find(key, given.count).split(place).map((part, index) => {
    if (index % 2 === 0) return part
    return typeof given[part] === 'number' ? asText(given[part]) : given[part]
  })
}
