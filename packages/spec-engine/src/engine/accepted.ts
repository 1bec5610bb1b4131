import { acceptanceLabel, type Role, roleOf, type Sentence } from 'steward-document-reader/document'

/** A label of its own line, unlike a heading, counts for the list below it and no further. */
const isLabel = (text: string): boolean => acceptanceLabel.test(text) && /[:*]\s*$/.test(text)

/** Which story stands above, and whether a list says what it is accepted by. */
export class Accepted {
  /** Where the story begins. */
  storyAt: number | undefined
  /** "Acceptance criteria:" stands above the list. */
  #isOpen = false
  #hasItems = false
  /** The headings of a label whose list has ended. */
  #ended: readonly string[] | undefined

  follow ({ text, headings, block: { kind } }: Sentence): void {
    if (acceptanceLabel.test(text) || (kind === 'heading' && isLabel(`${text}:`))) {
      this.#isOpen = true
      this.#hasItems = false
    } else if (kind === 'item') {
      this.#hasItems ||= this.#isOpen
    } else if (kind === 'heading') {
      this.#isOpen = false
      if (roleOf(headings) !== 'acceptance') this.storyAt = undefined
    } else if (kind === 'paragraph') {
      if (this.#isOpen && this.#hasItems && acceptanceLabel.test(headings.at(-1) ?? '')) this.#ended = headings
      this.#isOpen = false
    }
  }

  /** @returns the role of the section in which a sentence stands */
  roleOf ({ headings, block: { kind }, cell }: Sentence): Role | undefined {
    if (cell && !cell.isHeader && cell.role === 'other' && roleOf([cell.first]) === 'flow') return 'flow'
    if (cell?.role === 'accepted' || (this.#isOpen && kind === 'item')) return 'acceptance'
    return roleOf(this.#ended === headings ? headings.slice(0, -1) : headings)
  }
}
