import { unset } from './read-brand.js'

const text = 'The first check of a process reads the word lists. It is done here, so that nobody is waiting for it.'

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

/** Loads the rules and their word lists, a third of a second, before somebody asks for a check. */
export const warmRules = async (): Promise<void> => {
  const [{ readBody }, { alone }, { reportOn }] =
    await Promise.all([import('./lint/prose.js'), import('./lint/rule.js'), import('./lint/report.js')])
  const { settings } = unset()
  const brand = { ...settings, style: { ...settings.style, inclusive: 'warn' as const } }
  const place = { channel: 'blog', network: null, locale: 'en' } as const
  reportOn({ ...readBody(body), ...place, body, brand, brief: null, today: null, ...alone }, 0)
}
