import type { PreviewRow } from '../../schemas/agent/events.js'
import { isSameJson } from './digest.js'
import type { Change } from './options.js'
import { outline } from './outline.js'
import { escapeText, showLine, showText } from './show-text.js'

/** Pairs of lines, some 40 ms of a processor. A thousand edits in a text of five thousand lines take a third. */
const usualPairs = 500_000

class Spent extends Error {}

/**
 * What comparing texts may take: the work of a comparison grows with their lines times their edits, so it is counted.
 * Comparisons of one answer share it.
 */
class Effort {
  #left: number

  constructor (pairs = usualPairs) {
    this.#left = pairs
  }

  /** @returns what is found by the given way to compare two lines; undefined when that takes more than is left */
  spend<T> (find: (areSame: (one: string, other: string) => boolean) => T | undefined): T | undefined {
    try {
      return find((one, other) => {
        if (this.#left <= 0) throw new Spent()
        this.#left -= 1
        return one === other
      })
    } catch (error) {
      if (error instanceof Spent) return undefined
      throw error
    }
  }
}

/** Characters of a value that is shown whole; a longer one that replaces another is shown as a diff. */
const maxValue = 500
/** Characters of a new text, and of a diff, that one row keeps; the arguments have the rest. */
const maxText = 50_000

const asText = (value: unknown): string | null => {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  return typeof value === 'object' ? outline(value) : JSON.stringify(value)
}

const noNewline = '\\ No newline at end of file'

const prefixed = (text: string, sign: string): string[] => text.split('\n').map((line) => sign + line)

/** @returns a unified diff without file names; of texts that take too much to compare, the whole of both */
const diffOf = async (before: string, after: string, effort: Effort): Promise<string> => {
  const { structuredPatch } = await import('diff')
  const patch = effort.spend((comparator) => {
    // The library passes them on to the comparison of lines, which its types of a patch do not say.
    const options = { context: 3, comparator }
    return structuredPatch('', '', before, after, '', '', options)
  })
  const lines = patch
    ? patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines])
    : [...prefixed(before, '-'), ...prefixed(after, '+')]
  // On both sides the mark shows no difference.
  const bothOpen = !before.endsWith('\n') && !after.endsWith('\n')
  return lines.filter((line) => !bothOpen || line !== noNewline).join('\n')
}

/** @returns how one text differs from another, as a unified diff without file names; empty where it does not */
export const unifiedDiff = (before: string, after: string): Promise<string> => diffOf(before, after, new Effort())

const cut = (text: string): { text: string, truncated?: true } => text.length <= maxText
  ? { text }
  : { text: `${text.slice(0, maxText).toWellFormed()}\n… ${text.length - maxText} more characters`, truncated: true }

const toRow = async ({ label, before, after }: Change, effort: Effort): Promise<PreviewRow> => {
  const [old, now] = [asText(before), asText(after)]
  const name = showLine(label)
  if (old === null || now === null) {
    const shown = cut(escapeText(now ?? old ?? ''))
    const more = shown.truncated && { truncated: true }
    return { label: name, before: old === null ? null : shown.text, after: now === null ? null : shown.text, ...more }
  }
  const row = { label: name, before: showText(old), after: showText(now) }
  if (old.length <= maxValue && now.length <= maxValue && !`${old}${now}`.includes('\n')) return row
  const diff = cut(escapeText(await diffOf(old, now, effort)))
  return { ...row, diff: diff.text, ...(diff.truncated && { truncated: true }) }
}

const none: PreviewRow = { label: 'Changes', before: null, after: 'nothing: it is so already' }

/** @returns whether a row says that nothing changes */
export const isUnchanged = (row: PreviewRow): boolean => isSameJson(row, none)

/**
 * @returns what a person is shown of the changes: those that change something, long texts with a diff that is made
 *   before anything is cut
 */
export const showChanges = async (changes: readonly Change[]): Promise<PreviewRow[]> => {
  const changed = changes.filter(({ before, after }) => !isSameJson(before ?? null, after ?? null))
  const effort = new Effort()
  const rows = await Promise.all(changed.map((change) => toRow(change, effort)))
  return rows.length > 0 ? rows : [none]
}

/** Bytes that the rows of one event may take: a frame holds 64 KiB, arguments and summary included. */
const maxEventBytes = 24_000

const clip = (text: string | null, length: number): string | null =>
  text === null || text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`

/** @returns rows that fit into an event; a row that is cut says so, and `getConfirmation` has the whole */
export const clipRows = (rows: readonly PreviewRow[]): PreviewRow[] => {
  if (Buffer.byteLength(JSON.stringify(rows)) <= maxEventBytes) return [...rows]
  // A character takes up to six bytes of JSON.
  const kept = rows.slice(0, 40)
  const length = Math.floor(maxEventBytes / kept.length / 18)
  const clipped = kept.map((row): PreviewRow => {
    const short = { ...row, before: clip(row.before, length), after: clip(row.after, length) }
    if (row.diff !== undefined) short.diff = clip(row.diff, length) ?? ''
    return isSameJson(short, row) ? row : { ...short, truncated: true }
  })
  const left = rows.length - kept.length
  return left > 0
    ? [...clipped, { label: `${left} more changes`, before: null, after: 'shown with the question', truncated: true }]
    : clipped
}
