import { ExtractionError } from './errors.js'

/** What of a Word document's parts is looked at before a library parses them. */
export interface Limits {
  /** Of all parts, and between two cuts of the document. */
  elements: number
  partElements: number
  depth: number
  tagBytes: number
}

interface Tag { start: number, end: number, name: string, kind: 'open' | 'close' | 'empty' }

const [lt, gt, slash, bang, question, double, single] = [...'<>/!?"\''].map((char) => char.charCodeAt(0))
const nameEnd = /[\s/>]/

const tooComplex = (what: string): ExtractionError =>
  new ExtractionError('file_too_complex', `The document has ${what}`)

const bytesOf = (part: Uint8Array): Buffer => Buffer.from(part.buffer, part.byteOffset, part.byteLength)

/** @returns the index behind the tag that begins at `start`; a `>` in quotation marks does not end it */
const endOf = (data: Uint8Array, start: number, limit: number): number => {
  let quote: number | undefined
  for (let at = start + 1; at < data.length; at++) {
    if (at - start > limit) throw tooComplex(`a tag of more than ${limit} bytes`)
    const byte = data[at]
    if (quote !== undefined) {
      if (byte === quote) quote = undefined
    } else if (byte === double || byte === single) {
      quote = byte
    } else if (byte === gt) {
      return at + 1
    }
  }
  return data.length
}

const behind = (data: Buffer, start: number, mark: string): number => {
  const at = data.indexOf(mark, start, 'latin1')
  return at === -1 ? data.length : at + mark.length
}

/** @returns the index behind a comment, an instruction or CDATA. @throws ExtractionError of a declaration */
const behindOther = (data: Buffer, start: number): number => {
  if (data[start + 1] === question) return behind(data, start, '?>')
  const mark = data.toString('latin1', start, start + 9)
  if (mark.startsWith('<!--')) return behind(data, start + 4, '-->')
  if (mark === '<![CDATA[') return behind(data, start, ']]>')
  throw new ExtractionError('file_broken', 'The document declares entities')
}

/** The tags of an XML file in their order, without a tree: nothing is held but the file. */
function * tagsOf (data: Buffer, { elements, depth, tagBytes }: Limits): Generator<Tag> {
  let [count, level] = [0, 0]
  for (let start = data.indexOf(lt ?? 0); start !== -1;) {
    const next = data[start + 1]
    if (next === bang || next === question) {
      start = data.indexOf(lt ?? 0, behindOther(data, start))
      continue
    }
    const end = endOf(data, start, tagBytes)
    const isClose = next === slash
    const kind = isClose ? 'close' : data[end - 2] === slash ? 'empty' : 'open'
    if (!isClose && ++count > elements) throw tooComplex(`more than ${elements} elements`)
    level += kind === 'open' ? 1 : isClose ? -1 : 0
    if (level > depth) throw tooComplex(`elements in more than ${depth} others`)
    const text = data.toString('latin1', start + (isClose ? 2 : 1), Math.min(end, start + 80))
    yield { start, end, name: text.slice(0, text.search(nameEnd)).replace(/^[^:]*:/, ''), kind }
    start = data.indexOf(lt ?? 0, end)
  }
}

/** @returns how many elements an XML file has. @throws ExtractionError where they are more, or deeper, than allowed */
export const countElements = (part: Uint8Array, limits: Limits): number => {
  let count = 0
  for (const { kind } of tagsOf(bytesOf(part), limits)) if (kind !== 'close') count++
  return count
}

/** Elements after which a part ends where it can: the memory for reading is that of one part. */
const enoughElements = 8_000
/** Document and body. */
const bodyDepth = 2

interface Body { head: number, tail: number, cuts: number[] }

/** What of the body was seen up to a tag. */
class Blocks {
  readonly #cuts: number[] = []
  #head = 0
  #tail: number
  #level = 0
  #count = 0
  #fields = 0
  #isItem = false
  #hasNotes = false

  constructor (private readonly data: Buffer, private readonly most: number) {
    this.#tail = data.length
  }

  get body (): Body { return { head: this.#head, tail: this.#tail, cuts: this.#cuts } }

  add (tag: Tag): void {
    const { start, end, name, kind } = tag
    if (kind !== 'close' && ++this.#count > this.most) {
      throw tooComplex(`a table, list or text with notes of more than ${this.most} elements`)
    }
    this.#level += kind === 'open' ? 1 : kind === 'close' ? -1 : 0
    if (name === 'body' && kind === 'open' && this.#level === bodyDepth) this.#head = end
    if (name === 'body' && kind === 'close' && this.#level === bodyDepth - 1) this.#tail = start
    this.#look(tag)
    if (this.#level === bodyDepth && this.#head > 0 && kind !== 'open') this.#endBlock(end)
  }

  #look ({ start, end, name, kind }: Tag): void {
    if (name === 'numPr') this.#isItem = true
    if (name === 'footnoteReference' || name === 'endnoteReference') this.#hasNotes = true
    if (name !== 'fldChar' || kind === 'close') return
    const type = this.data.toString('latin1', start, end)
    this.#fields += type.includes('"begin"') ? 1 : type.includes('"end"') ? -1 : 0
  }

  /** A list goes on until a paragraph that is no item, and a field until its end; notes are counted to the end. */
  #endBlock (end: number): void {
    const canEnd = !this.#isItem && !this.#hasNotes && this.#fields === 0
    this.#isItem = false
    if (!canEnd || this.#count < enoughElements) return
    this.#cuts.push(end)
    this.#count = 0
  }
}

/** @returns where the blocks of the body begin and end, and between which of them a library may stop */
const bodyOf = (data: Buffer, limits: Limits): Body => {
  const blocks = new Blocks(data, limits.partElements)
  for (const tag of tagsOf(data, limits)) blocks.add(tag)
  return blocks.body
}

/**
 * Divides the document of a Word file between its paragraphs and tables, so that parts of it can be read one by one.
 * From the first note on it stays whole: notes are numbered through it, and stand at its end.
 * @throws ExtractionError where it is larger or deeper than allowed
 */
export const splitDocument = (document: Uint8Array, limits: Limits): Uint8Array[] => {
  const data = bytesOf(document)
  const { head, tail, cuts } = bodyOf(data, limits)
  const inside = cuts.filter((cut) => cut < tail)
  if (inside.length === 0) return [document]
  const ends = [...inside, tail]
  return ends.map((end, at) =>
    Buffer.concat([data.subarray(0, head), data.subarray(ends[at - 1] ?? head, end), data.subarray(tail)]))
}
