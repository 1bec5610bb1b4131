/** Text of inputs as Markdown shows it: no HTML, no second line. */
export const inline = (text: string): string =>
  text.replace(/(?<!\s)\s*\n\s*/g, ' ').replace(/<(?=[A-Za-z/!?])/g, '\\<').trim()

/** The same for a text of several lines; none of them can be taken for a heading of ours. */
export const paragraphs = (text: string): string =>
  text.replace(/<(?=[A-Za-z/!?])/g, '\\<').replace(/^(#{1,6} )/gm, '\\$1').trim()

export const cell = (text: string): string => inline(text).replaceAll('|', '\\|')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`)
].join('\n')

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${inline(item)}`).join('\n')

/** @returns the parts that are not empty, a blank line between each; a file ends with a line break */
export const join = (parts: readonly (string | false | null | undefined)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`

/** @returns the section, or nothing where there is nothing to say */
export const section = (title: string, body: string, level = 2): string =>
  body === '' ? '' : `${'#'.repeat(level)} ${inline(title)}\n\n${body}`

/** A name for folders and branches. */
export const slugOf = (title: string): string => {
  const words = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return words.slice(0, 60).replace(/^-+|(?<!-)-+$/g, '') || 'spec'
}
