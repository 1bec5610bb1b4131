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

interface Linked { getAttribute: (name: string) => string | null }

const isAnchor = (href: string): boolean => /^#(?:cmnt|ftnt|_msoanchor|_msocom)(?:_ref)?_?\d+$/.test(href)

/** The classes that a page's own style strikes out, as Google Docs exports them. */
const struckClass = /\.([\w-]{1,60})\s*\{[^{}]{0,2000}?text-decoration(?:-line)?\s*:\s*line-through[^{}]{0,2000}\}/g

const spanTag = /<span\b([^<>]{0,1000})>/gi
const classNames = /\bclass="([^"<>]{0,900})"/i

/** Writes such classes as the style that they stand for. */
const withStyles = (html: string): string => {
  const struck = new Set([...html.matchAll(struckClass)].map(([, name = '']) => name))
  if (struck.size === 0) return html
  return html.replace(spanTag, (tag, attributes: string) => {
    const names = classNames.exec(attributes)?.[1]?.split(' ') ?? []
    return names.some((name) => struck.has(name)) ? `<span style="text-decoration:line-through"${attributes}>` : tag
  })
}

/** @returns reads the text of pages: what every page of a site repeats, and what runs, is left out */
export const htmlReader = async (): Promise<(html: string) => string> => {
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'nav', 'footer', 'form', 'button', 'title', 'head'])
  turndown.addRule('images', { filter: 'img', replacement: () => '' })
  // "[a]" leads to a comment of an editor of texts, and "[1]" to a footnote.
  turndown.addRule('links', {
    filter: 'a',
    replacement: (content, node) => isAnchor((node as Linked).getAttribute('href') ?? '') ? '' : content
  })
  addDocumentRules(turndown)
  return (html) => turndown.turndown(html)
}

export const fromHtml = async (html: string): Promise<Extraction> =>
  ({ ...firstOf((await htmlReader())(mainOf(withStyles(html)))), media_type: 'text/markdown', pages: null })
