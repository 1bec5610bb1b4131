export const htmlTags = new Set((
  'a abbr article aside audio b base blockquote body br button canvas caption code col colgroup dd del details ' +
  'dialog div dl dt em embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr ' +
  'html i iframe img input ins kbd label legend li link main map mark math meta nav noscript object ol option p ' +
  'picture pre script section select slot small source span strong style sub summary sup svg table tbody td ' +
  'template textarea tfoot th thead title tr u ul video'
).split(' '))

const tag = /<\/?([a-z][a-z0-9]*)(?:[\s/][^<>]{0,500})?>/gi
const comment = /<!--|<!doctype/gi
const link = /(?:javascript|vbscript|data\s*:\s*text\/html)\s*:?[^\s)]{0,200}/gi
const scheme = /^(?:javascript|vbscript)\s*:|^data\s*:\s*text\/html/i

/** @returns the parts of a text that a page would render as HTML or as a link that runs code, also in code spans */
export const unsafe = (text: string): string[] => text.includes('<') || text.includes(':') ? search(text) : []

const search = (text: string): string[] => [
  ...[...text.matchAll(tag)].filter(({ 1: name = '' }) => htmlTags.has(name.toLowerCase())).map(([found]) => found),
  ...[...text.matchAll(comment)].map(([found]) => found),
  ...[...text.matchAll(link)].map(([found]) => found).filter((found) => scheme.test(found))
]

/** Characters that turn the direction of text, or that nobody sees; joiners belong to scripts and emoji. */
const hidden = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** @returns the text without HTML, links that run code and characters that hide or turn text */
export const makeSafe = (text: string): string => text
  .replace(hidden, '')
  .replace(tag, (found, name: string) => htmlTags.has(name.toLowerCase()) ? '' : found)
  .replace(/<!--[^]*?(?:-->|$)|<!doctype[^>]*>?/gi, '')
  .replace(/(?:javascript|vbscript)\s*:|data\s*:\s*text\/html/gi, '')
