import type { Story } from '../schemas/document.js'

/** @returns the story in the words of its source, else by its parts */
export const storyText = ({ sentence, role, want, so_that: reason }:
Pick<Story, 'sentence' | 'role' | 'want' | 'so_that'>): string => {
  if (sentence !== undefined) return sentence
  return role === '' ? want : `As ${role}, I want to ${want}${reason && `, so that ${reason}`}.`
}

/** @returns the text on one line of Markdown, with HTML escaped */
export const inline = (text: string): string =>
  text.replace(/(?<!\s)\s*\n\s*/g, ' ').replace(/<(?=[A-Za-z/!?])/g, '\\<').trim()

/** @returns a text of several lines with HTML and headings escaped */
export const paragraphs = (text: string): string =>
  text.replace(/<(?=[A-Za-z/!?])/g, '\\<').replace(/^(#{1,6} )/gm, '\\$1').trim()

export const cell = (text: string): string => inline(text).replaceAll('|', '\\|')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`)
].join('\n')

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${inline(item)}`).join('\n')

/** @returns the non-empty parts with a blank line between them and a line break at the end */
export const join = (parts: readonly (string | false | null | undefined)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`

/** @returns the section, or '' for an empty body */
export const section = (title: string, body: string, level = 2): string =>
  body === '' ? '' : `${'#'.repeat(level)} ${inline(title)}\n\n${body}`

/** @returns a name for folders and branches */
export const slugOf = (title: string): string => {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return words.slice(0, 60).replace(/^-+|(?<!-)-+$/g, '') || 'spec'
}
