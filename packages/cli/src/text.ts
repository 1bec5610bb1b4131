/**
 * What a terminal would obey, or not show: control characters, both directions' overrides, and what has no width. Texts
 * come from models, providers and repositories.
 */
const unseen = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e01ef}\\ud800-\\udfff]', 'gu')

const codeOf = (char: string): string => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

/** @returns the text with marks, such as ‹U+001B›, for what a terminal would obey or not show; lines stay */
export const plain = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(unseen, (char) => `‹U+${codeOf(char)}›`)

/** @returns the text as one line */
export const oneLine = (text: string): string => plain(text).replaceAll('\n', '⏎').replaceAll('\t', ' ')

/**
 * @param indent over several lines, with so many spaces
 * @returns JSON that a terminal shows as it is: all but printable text is escaped
 */
export const jsonText = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent).replace(unseen, (char) =>
  Array.from({ length: char.length }, (_, index) =>
    `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''))

/** @returns JSON on one line */
export const jsonLine = (value: unknown): string => jsonText(value)

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u

/** @returns how many columns a text without control characters takes */
const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0)

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** @returns lines of columns, the last one as long as it is */
export const table = (rows: readonly (readonly string[])[]): string[] => {
  const shown = rows.map((row) => row.map(oneLine))
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => widthOf(row[column] ?? ''))))
  return shown.map((row) => row.map((cell, column) =>
    column === row.length - 1 ? cell : padded(cell, widths[column] ?? 0)).join('  ').trimEnd())
}

const units = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1_000, 's']] as const

/** @returns such as `in 14 min`, or `2 h ago` */
export const when = (at: string, now = Date.now()): string => {
  const ms = Date.parse(at) - now
  const [size, unit] = units.find(([size]) => Math.abs(ms) >= size) ?? [1_000, 's']
  const amount = `${Math.floor(Math.abs(ms) / size)} ${unit}`
  return ms < 0 ? `${amount} ago` : `in ${amount}`
}
