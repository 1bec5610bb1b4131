import { signal } from '@preact/signals'
import { en } from './en'
import type { Texts } from './texts'

const loaders = {
  en: async (): Promise<Texts<typeof en>> => en,
  de: async () => (await import('./de')).de
}
export type Language = keyof typeof loaders
export type Choice = Language | 'browser'

const key = 'steward-language'
const isLanguage = (text: string): text is Language => Object.hasOwn(loaders, text)

/** @returns the first of the browser's languages that there is */
const ofBrowser = (): Language =>
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en'

const stored = (): Choice => {
  const text = localStorage.getItem(key) ?? ''
  return isLanguage(text) ? text : 'browser'
}

/** The language on the screen, with its texts: both change at once. */
export const spoken = signal<{ language: Language, texts: Texts<typeof en> }>({ language: 'en', texts: en })

/** Loads the language that was chosen and shows it; what cannot be loaded leaves the earlier one. */
export const loadLanguage = async (): Promise<void> => {
  const choice = stored()
  const language = choice === 'browser' ? ofBrowser() : choice
  if (language === spoken.peek().language) return
  const texts = await loaders[language]().catch(() => undefined)
  if (!texts) return
  document.documentElement.lang = language
  spoken.value = { language, texts }
}

export const chooseLanguage = (choice: Choice): void => {
  if (choice === 'browser') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  void loadLanguage()
}
