import { roleOf } from './roles.js'
import type { Block, Cell } from './block.js'
import { plain } from './plain.js'
import type { JoinedCells } from './target-rows.js'

const tick = /^(?:[✓✔✅☑•●]️?|:(?:white_check_mark|heavy_check_mark|check):|yes|ja|oui|s[ií])$/iu
const cross = /^[x×]$/i
const none = /^(?:[-–—✗✘❌☐○]?️?|:(?:x|no_entry|negative_squared_cross_mark):|no|nein|non|n\/a)$/iu
const anyTick = /[✓✔✅☑]|:(?:white_|heavy_)?check(?:_mark)?:|\|[ \t]*(?:yes|ja|oui|s[ií])[ \t]*\|/iu
/** What a column says of the state of its row, not of what is demanded. */
const state = /^(?:answers?|antwort|réponse|respuesta|comments?|kommentar|commentaires?|comentarios?|notes?|remarks?|done|status|ok|complete[d]?|tested|checked|implemented|exists|today|required|mandatory|optional|pk|fk|null(?:able)?|unique|erledigt|pflicht|fait|obligatoire|hecho)\b/i
const things = /^(?:features?|functions?|permissions?|actions?|rights?|capabilit(?:y|ies)|use cases?|operations?|requirements?|functionality|funktion(?:en)?|rechte?|berechtigung(?:en)?|aktion(?:en)?|anforderung(?:en)?|fonctionnalités?|fonctions?|droits?|actions?|exigences?|funci[oó]n(?:es)?|permisos?|acci[oó]n(?:es)?|requisitos?)$/i
const titles = /\b(?:permissions?|roles?|plans?|tiers?|editions?|matrix|rights|access|berechtigungen|rechte|rollen|droits|rôles|permisos|roles)\b/iu
const demanding: ReadonlySet<string | undefined> = new Set(['requirements', 'acceptance', 'actors', 'interfaces'])

/** How a table marks its cells: `x` says no where others have a tick. */
export interface Marks { isDemanding: boolean, hasTicks: boolean }

/** @returns how the table that begins there is to be read */
export const marksOf = (text: string, { start, row, headings }: Block): Marks => {
  const end = text.indexOf('\n\n', start)
  const [first = ''] = row?.header ?? []
  const isDemanding = demanding.has(roleOf(headings)) || things.test(first) || titles.test(headings.at(-1) ?? '')
  return { isDemanding, hasTicks: anyTick.test(text.slice(start, end === -1 ? text.length : end)) }
}

const leastMarks = 2

/** @returns what a row of crosses says: "Edit plans: ✓ Member, Admin; ✗ Guest" */
export const crossRow = (text: string, cells: readonly Cell[], header: readonly string[] | undefined, marks: Marks):
JoinedCells | undefined => {
  if (!header || cells.length < leastMarks + 1 || !marks.isDemanding) return undefined
  const words = cells.map(({ start, end }) => end - start > 40 ? text.slice(start, end) : plain(text.slice(start, end)))
  const isYes = (word = ''): boolean => tick.test(word) || (cross.test(word) && !marks.hasTicks)
  let first = cells.length
  while (first > 1 && [tick, cross, none].some((pattern) => pattern.test(words[first - 1] ?? ''))) first--
  const [name, last] = [cells[first - 1], cells.at(-1)]
  const columns = header.slice(first, cells.length)
  const named = (words[first - 1] ?? '').replace(/[.:;]$/, '')
  const isMatrix = columns.length >= leastMarks && !columns.some((title) => state.test(title))
  if (!name || !last || named === '' || !isMatrix) return undefined
  // Without any mark it is the title of the rows below it.
  if (cells.slice(first).every(({ start, end }) => start === end)) return undefined
  const listOf = (mark: string, wanted: boolean): string[] => {
    const those = columns.filter((_, at) => isYes(words[first + at]) === wanted)
    return those.length > 0 ? [`${mark} ${those.join(', ')}`] : []
  }
  const indexes = cells.flatMap((_, at) => at >= first - 1 ? [at] : [])
  const statement = [...listOf('✓', true), ...listOf('✗', false)].join('; ')
  return { text: `${named}: ${statement}`, start: name.start, end: last.end, cells: new Set(indexes) }
}
