/** Columns of a list or record that stands in one line. */
const maxInline = 100
/** Deeper values are JSON: an indentation of each costs more than it shows. */
const maxDepth = 24
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What would read as another value, or as a mark of the outline. */
const ambiguous = /^$|^\s|\s$|^[-[\]{}"'|#?&*!%@`](?:\s|$)|^[[\]{}"|]|^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$|[\p{Cc}]/u

/** A text as it is where it reads as itself, else as JSON. @param marks what would end it where it stands */
const plainOr = (text: string, marks: RegExp): string =>
  ambiguous.test(text) || marks.test(text) ? JSON.stringify(text) : text

const scalar = (value: unknown, marks: RegExp): string =>
  typeof value === 'string' ? plainOr(value, marks) : JSON.stringify(value)

const none = /(?!)/
const inFlow = /[,:[\]{}"]/
const inKey = /[:"]/

/** @returns a list of plain values, or a record of these, in one line; undefined where it is too long for one */
const inline = (value: object): string | undefined => {
  const isList = Array.isArray(value)
  const parts: string[] = []
  let length = 2
  for (const [key, one] of Object.entries(value) as [string, unknown][]) {
    const shown = inlinePart(one, isList)
    if (shown === undefined) return undefined
    const part = isList ? shown : `${plainOr(key, inFlow)}: ${shown}`
    length += part.length + 2
    if (length > maxInline) return undefined
    parts.push(part)
  }
  return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`
}

/** Of structures only a record's lists, and empty ones, stand within a line. */
const inlinePart = (value: unknown, inList: boolean): string | undefined => {
  if (typeof value === 'string' && (value.length > maxInline || value.includes('\n'))) return undefined
  if (!isRecord(value)) return scalar(value, inFlow)
  const fits = Object.keys(value).length === 0 || (Array.isArray(value) && !inList)
  return fits ? inline(value) : undefined
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

/** A key or a dash with its value: behind it, or below it. */
const entry = (head: string, value: unknown, depth: number): string[] => {
  if (typeof value === 'string') {
    return value.includes('\n')
      ? [`${head} |`, ...indented(value.split('\n'))]
      : [`${head} ${plainOr(value, head === '-' ? inKey : none)}`]
  }
  const line = isRecord(value) ? inline(value) : JSON.stringify(value)
  if (line !== undefined) return [`${head} ${line}`]
  const lines = linesOf(value, depth + 1)
  return head === '-' ? [`- ${lines[0] ?? ''}`, ...indented(lines.slice(1))] : [head, ...indented(lines)]
}

const linesOf = (value: unknown, depth: number): string[] => {
  if (!isRecord(value) || depth > maxDepth) return [JSON.stringify(value)]
  return Object.entries(value).flatMap(([key, one]) =>
    entry(Array.isArray(value) ? '-' : `${plainOr(key, inKey)}:`, one, depth))
}

/**
 * @returns a structure as people read one, in the manner of YAML: a line an entry, texts without quotation marks where
 *   nothing else reads so; short ones in one line. Values that differ have outlines that differ.
 */
export const outline = (value: object): string => {
  // As it is sent: times are texts, and what is not there is not.
  const json: unknown = JSON.parse(JSON.stringify(value))
  return (isRecord(json) ? inline(json) : undefined) ?? linesOf(json, 0).join('\n')
}
