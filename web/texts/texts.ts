import type { en, first } from './en'

/** One text for each plural category of the language, chosen by `{count}`. */
export interface Plural { one: string, other: string }

/** The names of a text's slots, such as `{name}`. */
export type SlotsOf<T extends string> =
  T extends `${string}{${infer Name}}${infer Rest}` ? Name | SlotsOf<Rest> : never

/** The same keys in another language; a plural stays one. */
export type Texts<Own> = { readonly [Key in keyof Own]: Own[Key] extends string ? string : Plural }

/** A part of the catalogue, which loads with the pages that say it. */
export type Part = keyof typeof en
type TextsOf<P extends Part> = Awaited<ReturnType<(typeof en)[P]>>
type Merged<P extends Part> = { [Each in P]: (texts: TextsOf<Each>) => void }[P] extends (all: infer All) => void
  ? All
  : never

/** Every text, as English has it. */
export type Catalogue = typeof first & Merged<Part>

/** Texts of the server in another language, by what each is about; slots stand for what only the server knows. */
export type ServerWords = Readonly<Record<
  'errors' | 'operations' | 'rows' | 'fields' | 'plans' | 'services' | 'findings' | 'activity' | 'specs' | 'rules' |
  'faults' | 'details' | 'reasons' | 'standards' | 'logs',
  Readonly<Record<string, string>>>>

/** What each language has. */
export interface Language {
  /** Absent in the language that the server speaks. */
  server?: () => Promise<ServerWords>
  first: Texts<typeof first>
  parts: { readonly [P in Part]: () => Promise<Texts<TextsOf<P>>> }
}
