import { unset } from './read-brand.js'
import { readText } from '../text/read-text.js'

const text = 'The first check of a process reads the word lists. It is done here, so that no request waits for it.'

const body = {
  title: text,
  slug: 'first',
  summary: '',
  body_markdown: text,
  fields: {},
  seo: { keywords: [], noindex: false },
  media: [],
  waivers: [],
  citations: []
}

/** Loads the rules and their word lists into the process for texts before the first check: a third of a second. */
export const warmRules = async (): Promise<void> => {
  const { settings: brand, version } = unset()
  const inclusive = { ...brand, style: { ...brand.style, inclusive: 'warn' as const } }
  const slot = { channel: 'blog', network: null, locale: 'en' } as const
  const others = { isCopy: false, isSlugTaken: false }
  await readText('report', { ...slot, ...others, body, brand: inclusive, styles: [], brief: null, today: null }, [],
    version)
}
