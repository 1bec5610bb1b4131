/** One text for each plural category of the language, chosen by `{count}`. */
export interface Plural { one: string, other: string }

/** The names of a text's slots, such as `{name}`. */
export type SlotsOf<T extends string> =
  T extends `${string}{${infer Name}}${infer Rest}` ? Name | SlotsOf<Rest> : never

/** The same keys in another language; a plural stays one. */
export type Texts<Own> = { readonly [Key in keyof Own]: Own[Key] extends string ? string : Plural }
