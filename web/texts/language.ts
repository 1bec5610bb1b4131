import { signal } from '@preact/signals'
import { en, first } from './en'
import type { Catalogue, Language as Source, Part, ServerWords, Texts } from './texts'

const sources = {
  en: async (): Promise<Source> => ({ first, parts: en }),
  de: async () => (await import('./de')).de
}
export type Language = keyof typeof sources
export type Choice = Language | 'browser'

const key = 'steward-language'
const isLanguage = (text: string): text is Language => Object.hasOwn(sources, text)

/** @returns the first of the browser's languages that there is */
const ofBrowser = (): Language =>
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en'

/** @returns the browser's own tag of the language, such as en-GB, which says how numbers and times are written */
const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language

/** The reader's: how numbers, days and times are written on the screen. */
export const locale = (): string => localeOf(spoken.value.language)

const chosen = (): Language => {
  const text = localStorage.getItem(key) ?? ''
  return isLanguage(text) ? text : ofBrowser()
}

interface Spoken { language: Language, texts: Partial<Texts<Catalogue>>, server?: ServerWords | undefined }

/** The language on the screen, with the texts of the parts that were opened: both change at once. */
export const spoken = signal<Spoken>({ language: 'en', texts: first })
const opened = new Set<Part>()

const load = async (language: Language, parts: Iterable<Part>): Promise<Spoken> => {
  const source = await sources[language]()
  const loaded = await Promise.all([...parts].map((part) => source.parts[part]()))
  return { language, texts: Object.assign({}, source.first, ...loaded) }
}

/** What the server speaks. */
const ofServer: Language = 'en'
const loading = new Set<Language>()

/** Loads what the server says in the language of the screen; the first page is drawn before. */
export const loadServerWords = async (): Promise<void> => {
  const { language, server } = spoken.peek()
  if (server || language === ofServer || loading.has(language)) return
  loading.add(language)
  // Where they cannot be loaded the server's own words stay, and the next text asks again.
  const words = await sources[language]().then((source) => source.server?.()).catch(() => undefined)
  loading.delete(language)
  if (words && spoken.peek().language === language) spoken.value = { ...spoken.peek(), server: words }
}

/** How long the first page is left alone, in ms. */
const quiet = 2_000

/** What an installed client is called, and its shortcuts, are in a file of each language. */
const linkManifest = (language: Language): void =>
  document.querySelector('link[rel="manifest"]')
    ?.setAttribute('href', language === 'en' ? 'manifest.webmanifest' : `manifest.${language}.webmanifest`)

const show = (next: Spoken): void => {
  const { language, server } = spoken.peek()
  document.documentElement.lang = next.language
  if (language !== next.language) linkManifest(next.language)
  spoken.value = language === next.language ? { ...next, server } : next
  // They come before they are needed where somebody reads the first page, and else with the first of them.
  if (language !== next.language) setTimeout(() => { void loadServerWords() }, quiet)
}

/** Loads the texts of these parts in the language of the screen, which may change meanwhile. */
export const loadTexts = async (...parts: Part[]): Promise<void> => {
  const { language } = spoken.peek()
  const missing = parts.filter((part) => !opened.has(part))
  if (missing.length === 0) return
  const loaded = await load(language, missing)
  if (spoken.peek().language !== language) return loadTexts(...parts)
  for (const part of missing) opened.add(part)
  show({ ...loaded, texts: { ...spoken.peek().texts, ...loaded.texts } })
}

/** Loads the language that was chosen and shows it; what cannot be loaded leaves the earlier one. */
export const loadLanguage = async (): Promise<void> => {
  const language = chosen()
  if (language === spoken.peek().language) return
  const parts = new Set(opened)
  const loaded = await load(language, parts).catch(() => undefined)
  if (!loaded) return
  // A part that was opened meanwhile is in the earlier language only.
  if ([...opened].some((part) => !parts.has(part))) return loadLanguage()
  show(loaded)
}

export const chooseLanguage = (choice: Choice): void => {
  if (choice === 'browser') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  void loadLanguage()
}
