/** What a block of a document is. `metadata` is front matter, `older` a message that a later one quotes. */
export type BlockKind = 'heading' | 'item' | 'paragraph' | 'row' | 'code' | 'quote' | 'step' | 'definition' |
  'footnote' | 'metadata' | 'signature' | 'older'

/** Who wrote a comment or a message of a thread, and when; the time of a comment is RFC 3339. */
export interface Comment {
  author: string
  at: string
  /** A greater one was written later; without it the order of the text counts. */
  rank?: number
}

/** A cell of a table; offsets are into the text. */
export interface Cell { start: number, end: number }

/** A table's row: its cells, and the texts of the header above it; a header row has none. */
export interface Row {
  cells: Cell[]
  header: readonly string[] | undefined
  /** Quotation marks stand twice in its cells, as in files with comma-separated values. */
  isDoubled?: true
}

/**
 * What a document marks as a thing of its own, such as a need of sphinx-needs: its body is text like any other, and the
 * fields above it are no sentences.
 */
export interface Element {
  /** As the document calls it: "feat_req", "note". */
  type: string
  id?: string
  title?: string
  fields: Record<string, string>
}

/** A block of a text. Offsets are into the text, and exclude the markers of lists and headings. */
export interface Block {
  kind: BlockKind
  start: number
  end: number
  /** The headings above, outermost first; a heading includes itself. */
  headings: string[]
  /** The indent of a list item, in columns. */
  indent: number
  row?: Row
  /** Ranges inside the block that are no part of it, such as a page's footer. */
  skips?: Cell[]
  comment?: Comment | undefined
  element?: Element
}

/** Levels 1–6 as in Markdown; 7 for a label in plain text. */
export interface Heading { level: number, title: string }

/** Collects blocks in order, below the headings that are open. */
export class BlockList {
  readonly blocks: Block[] = []
  comment: Comment | undefined
  element: Element | undefined
  #open: Block | undefined
  #path: Heading[] = []
  #titles: string[] = []

  get open (): Block | undefined { return this.#open }

  close (): void { this.#open = undefined }

  /** The headings that are open; what stands in a block of its own opens none for what follows. */
  get path (): readonly Heading[] { return this.#path }

  reopen (path: readonly Heading[]): void {
    this.#path = [...path]
    this.#titles = path.map(({ title }) => title)
    this.#open = undefined
  }

  push (kind: BlockKind, start: number, end: number, indent = 0, row?: Row): Block {
    const block: Block = { kind, start, end, headings: this.#titles, indent }
    if (row) block.row = row
    if (this.comment) block.comment = this.comment
    if (this.element) block.element = this.element
    this.blocks.push(block)
    this.#open = block
    return block
  }

  head (start: number, end: number, heading: Heading): void {
    this.#path = [...this.#path.filter(({ level }) => level < heading.level), heading]
    this.#titles = this.#path.map(({ title }) => title)
    this.push('heading', start, end)
    this.#open = undefined
  }

  /** A heading in the line of its text, which stands above that text alone. */
  headRunIn (start: number, title: string, from: number, end: number): void {
    const headings = [...this.#titles, title]
    this.push('heading', start, from).headings = headings
    this.push('paragraph', from, end).headings = headings
  }

  grow (end: number, skipped: readonly Cell[] = []): void {
    if (!this.#open) return
    this.#open.end = end
    if (skipped.length > 0) this.#open.skips = [...this.#open.skips ?? [], ...skipped]
  }
}
