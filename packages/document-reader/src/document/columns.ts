import type { Block, Cell } from './block.js'
import { plain } from './plain.js'
import { marksOf, type Marks } from './cross-rows.js'
import { roleOf } from './roles.js'
import type { CellNote } from './sentences.js'
import { targetHeader } from './target-rows.js'

const wanted = /\b(?:requirements?|shall|must|rules?|criterion|criteria|demands?|needs?|anforderung(?:en)?|exigences?|requisitos?|requerimientos?|user stor(?:y|ies)|historias? de usuario|deliverables?|liefergegenst[aä]nde?|livrables?|entregables?)\b/i
const described = /\b(?:description|text|statement|what|wording|beschreibung|libell[ée]|descripci[óo]n)(?!\p{L})/iu
const identified = /^(?!project\b)(?:(?:req(?:uirement)?|spec|issue|ticket|story|vorgangs)\.?[ -]?)?(?:id|ids|schlüssel|no\.?|nr\.?|num(?:ber)?|#|key|ref(?:erence)?|label)\.?$|^req\.?$|[a-z] (?:id|no|nr)\.?$/i
/** "Acceptance Criteria" beside "Description": what a row is accepted by. */
const accepting = /\b(?:acceptance|akzeptanz|abnahme|acceptation|aceptación)/i
const ranked = /^(?:must?|muss) ?\/ ?(?:soll ?\/ ?)?(?:kann|can|should|could)$|\b(?:prio|verbindlichkeit|priority|importance|moscow|level|prioritee?|priorit[ée]|prioridad|priorität)(?!\p{L})/iu
const typed = /\b(?:type|kind|status|state|category|class|typ|art|bereich|kategorie|statut|tipo|estado)\b/i

const noted = /^(?:notes?|comments?|remarks?|bemerkung(?:en)?|anmerkung(?:en)?|kommentare?|remarques?|commentaires?|notas?|observaciones|comentarios?)$/i

/** What a row is called for short; where its description is empty, this is what is demanded. */
const titled = /^(?:summary|title|name|subject|zusammenfassung|titel|betreff|résumé|titre|resumen|título)$/i
const stated = /^(?:status|state|resolution|statut|estado)$/i

interface Columns {
  text: number
  described: number
  title: number
  id: number
  priority: number
  type: number
  state: number
  notes: number
}

const find = (header: readonly string[], pattern: RegExp): number => header.findIndex((cell) => pattern.test(cell))

/**
 * The columns of a table: one of requirements has a column that says so, ids beside descriptions, or, where
 * requirements stand, targets.
 */
const columnsOf = (names: readonly string[], isAmongDemands: boolean): Columns => {
  // "req_description" and "# Story ID" are words too.
  const header = names.map((name) => name.replace(/[_#*]+/g, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').trim() || name)
  const id = find(header, identified)
  const candidates = header.map((cell, at) => ({ cell, at })).filter(({ at }) => at !== id)
  const isDescribed = id !== -1 && header.some((cell) => described.test(cell))
  const named = candidates.find(({ cell }) => wanted.test(cell) && !(isDescribed && accepting.test(cell)))?.at
  const measured = isAmongDemands && header.some((name) => targetHeader.test(name)) ? candidates[0]?.at : undefined
  const text = named ?? (id === -1 ? undefined : candidates.find(({ cell }) => described.test(cell))?.at) ?? measured
  const [priority, type] = [find(header, ranked), find(header, typed)]
  return {
    text: text ?? -1,
    described: find(header, described),
    title: isDescribed ? find(header, titled) : -1,
    id,
    priority,
    type,
    state: find(header, stated),
    notes: find(header, noted)
  }
}

/**
 * @param isApart the values stand apart by tabs, which prose does not have
 * @returns whether a line of values names the columns of a table of requirements
 */
export const namesColumns = (header: readonly string[], isApart: boolean): boolean => {
  const { text, id, priority, type } = columnsOf(header, false)
  return isApart || (text !== -1 && [id, priority, type].some((at) => at !== -1 && at !== text))
}

/** "RF1" below "Requirement": its text stands in the column of descriptions. */
const isId = /^\p{L}{1,8}[-_. ]?\d[\w.-]{0,12}$/u

/** What the header of a table says of its cells. */
export class Table {
  readonly #columns: Columns

  constructor (private readonly header: readonly string[], isAmongDemands: boolean, readonly marks: Marks) {
    this.#columns = columnsOf(header, isAmongDemands)
  }

  #cell (text: string, cells: readonly Cell[], at: number): string {
    const cell = cells[at]
    return at < 0 || !cell ? '' : plain(text.slice(cell.start, cell.end)).slice(0, 200)
  }

  /** Whether the column of the requirements has their ids in this row. */
  #isNamedById (text: string, cells: readonly Cell[]): boolean {
    const { text: own, described: other } = this.#columns
    return other !== -1 && other !== own && isId.test(this.#cell(text, cells, own))
  }

  /** The column of what is demanded in this row. */
  #ownOf (text: string, cells: readonly Cell[]): number {
    const { text: own, described: other, title } = this.#columns
    if (this.#isNamedById(text, cells)) return other
    return title !== -1 && own === other && this.#cell(text, cells, own) === '' ? title : own
  }

  idOf (text: string, cells: readonly Cell[]): string | undefined {
    const id = this.#cell(text, cells, this.#isNamedById(text, cells) ? this.#columns.text : this.#columns.id)
    const isWord = !/\d/.test(id) && /^(?:labels?|keys?)$/i.test(this.header[this.#columns.id] ?? '')
    return id !== '' && id.length <= 40 && !isWord ? id : undefined
  }

  /** @param isStory the row's other cells make a story */
  note (text: string, cells: readonly Cell[], header: readonly string[] | undefined, at: number, isStory = false):
  CellNote {
    const { priority, type, state, notes } = this.#columns
    const own = this.#ownOf(text, cells)
    const column = this.header[at] ?? ''
    const stem = column.replace(/(?<![\s.…:_])[\s.…:_]+$/u, '')
    return {
      role: header === undefined
        ? 'other'
        : at === own ? 'text' : (own !== -1 || isStory) && accepting.test(column) ? 'accepted' : 'other',
      stem: at === own && /\s(?:shall|must|should)$/i.test(stem) ? stem : '',
      column,
      type: this.#cell(text, cells, type),
      state: state === type ? '' : this.#cell(text, cells, state),
      priority: this.#cell(text, cells, priority),
      notes: at === own ? this.#cell(text, cells, notes) : '',
      first: this.#cell(text, cells, 0),
      isTable: own !== -1,
      isHeader: header === undefined
    }
  }
}

/** @returns what gives a row's table; rows with the same header share it */
export const headersOf = (text: string): ((block: Block) => Table) => {
  let held: { header: readonly string[], table: Table } | undefined
  const none = new Table([], false, { isDemanding: false, hasTicks: false })
  return (block) => {
    const { row, headings } = block
    if (!row?.header) return none
    if (held?.header !== row.header) {
      const isAmongDemands = roleOf(headings) === 'requirements'
      held = { header: row.header, table: new Table(row.header, isAmongDemands, marksOf(text, block)) }
    }
    return held.table
  }
}
