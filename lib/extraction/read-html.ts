import { firstOf, type Extraction } from './extraction.js'
import { addDocumentRules } from './to-markdown.js'

/** @returns the elements that hold the page's own text, to the last end of the first one's name; else all of it */
const mainOf = (html: string): string => {
  const start = /<(main|article)\b/i.exec(html)
  const name = start?.[1]?.toLowerCase()
  const ends = [...html.matchAll(/<\/(main|article)/gi)].filter((end) => end[1]?.toLowerCase() === name)
  const end = ends.at(-1)?.index ?? 0
  return start && end > start.index ? html.slice(start.index, end) : html
}

/** @returns reads the text of pages: what every page of a site repeats, and what runs, is left out */
export const htmlReader = async (): Promise<(html: string) => string> => {
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'nav', 'footer', 'form', 'button', 'title', 'head'])
  turndown.addRule('images', { filter: 'img', replacement: () => '' })
  turndown.addRule('links', { filter: 'a', replacement: (content) => content })
  addDocumentRules(turndown)
  return (html) => turndown.turndown(html)
}

export const fromHtml = async (html: string): Promise<Extraction> =>
  ({ ...firstOf((await htmlReader())(mainOf(html))), media_type: 'text/markdown', pages: null })
