import { isSignedBy, type Checkpoint, type PublicKey } from './checkpoint.js'
import { canonicalJson, digestOf, hashOf, noHash, type Entry } from './entry.js'
import { ConsentVerifier } from './verify-consent.js'

/** What is wrong with a line of an export; `line` is from 1 on. */
export interface Problem { line: number, what: string }

/** What is trusted beside the export. */
export interface Trust {
  /** Keys that were published; undefined = those that the export names, which prove only that it is consistent. */
  keys?: readonly PublicKey[] | undefined
  /** Checkpoints that were sent away earlier. */
  checkpoints?: readonly Checkpoint[] | undefined
}

export interface Verdict {
  problems: Problem[]
  entries: number
  checkpoints: number
  /** Signatures of passkeys that were checked; absent where there are none. */
  signatures?: number
  /** Numbers of the first and the last entry; 0 = there is none. */
  first: number
  last: number
}

interface Header {
  type: 'export'
  version: number
  workspace_id: string
  filters: object | null
  after: { seq: number, hash: string }
  checkpoint: Checkpoint | null
  keys: PublicKey[]
}

interface End { type: 'end', entries: number, seq: number, hash: string }

/** A line is one of ours only if it is byte for byte what we write: nothing hides in a key that is there twice. */
const parseLine = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    // An object, by the line before.
    return canonicalJson(value) === text ? value as Record<string, unknown> : undefined
  } catch {
    return undefined
  }
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

/** Checks an export line by line; it holds no more than checkpoints and what is wrong. */
export class Verifier {
  readonly #problems: Problem[] = []
  #line = 0
  #header: Header | undefined
  #keys = new Map<string, PublicKey>()
  #seq = 0
  #hash = noHash
  #entries = 0
  #checkpoints = 0
  #first = 0
  /** The digest of the last checkpoint, its number, and itself; an undefined digest is not known. */
  #signed: { digest: string | null | undefined, seq: number, last: Checkpoint | undefined } =
    { digest: null, seq: 0, last: undefined }

  #ended = false
  readonly #awaited: Map<number, Checkpoint>
  readonly #consents = new ConsentVerifier()

  constructor (private readonly trust: Trust) {
    this.#awaited = new Map(trust.checkpoints?.map((one) => [one.seq, one]))
  }

  /** @param text of the next line, without its end */
  add (text: string): void {
    this.#line++
    if (this.#ended) return this.#note('comes after the end of the export')
    const value = parseLine(text)
    if (!value) return this.#noteUnreadable(text)
    // What each type of line has is checked where it is read: nothing else is believed of it.
    if (this.#line === 1) return this.#readHeader(value as unknown as Header)
    if (value.type === 'entry') return this.#readEntry(value as unknown as Entry)
    if (value.type === 'checkpoint') return this.#readCheckpoint(value as unknown as Checkpoint)
    if (value.type === 'end') return this.#readEnd(value as unknown as End)
    this.#note('is no entry, checkpoint or end')
  }

  /** After the last line. */
  finish (): Verdict {
    if (!this.#header) this.#note('the export has no header')
    else if (!this.#ended) this.#note('the export stops here: entries after it, or its end, are missing')
    for (const { seq } of this.#awaited.values()) {
      if (seq > (this.#header?.after.seq ?? 0)) this.#note(`the checkpoint at ${seq}, which was sent away, is not here`)
    }
    return {
      problems: this.#problems,
      entries: this.#entries,
      checkpoints: this.#checkpoints,
      ...(this.#consents.count > 0 && { signatures: this.#consents.count }),
      first: this.#first,
      last: this.#entries === 0 ? 0 : this.#seq
    }
  }

  #note (what: string): void {
    this.#problems.push({ line: this.#line, what })
  }

  /** The next line is judged by itself: what this one was is unknown. */
  #noteUnreadable (text: string): void {
    this.#note('is not canonical JSON: it was changed')
    if (this.#line === 1) return
    if (text.includes('"type":"checkpoint"')) {
      this.#signed = { digest: undefined, seq: this.#seq, last: this.#signed.last }
      return
    }
    this.#seq++
    this.#hash = ''
  }

  #readHeader (header: Header): void {
    if (header.type !== 'export' || header.version !== 1 || !Array.isArray(header.keys)) {
      return this.#note('is not the header of an export of this version')
    }
    this.#header = header
    if (header.filters !== null) this.#note('is of a part: only a whole export, without filters, can be verified')
    this.#seq = Number(header.after?.seq)
    this.#hash = String(header.after?.hash)
    const trusted = this.trust.keys ?? header.keys
    this.#keys = new Map(trusted.map((key) => [key.kid, key]))
    if (this.#seq === 0 && this.#hash !== noHash) this.#note('begins after no entry, and yet with a hash')
  }

  #readEntry (entry: Entry): void {
    this.#entries++
    if (this.#first === 0) this.#first = entry.seq
    if (this.#header && entry.workspace_id !== this.#header.workspace_id) this.#note('is an entry of another workspace')
    const isWhole = hashOf(entry) === entry.hash
    if (!isWhole) this.#note(`entry ${entry.seq} was changed: its hash is another one`)
    for (const what of this.#consents.check(entry)) this.#note(what)
    if (this.#isInOrder(entry, isWhole)) return
    this.#seq = isWhole ? Number(entry.seq) : this.#seq + 1
    this.#hash = String(entry.hash)
  }

  /** @returns whether the entry is not to be followed: it came before */
  #isInOrder ({ seq, previous }: Entry, isWhole: boolean): boolean {
    const next = this.#seq + 1
    if (seq > next) this.#note(`before it, entry ${next} ${seq > next + 1 ? `to ${seq - 1} ` : ''}is missing`)
    else if (seq < next) this.#note(`entry ${seq} is repeated, inserted or out of order`)
    else if (!this.#isAt(previous)) this.#note(`entry ${seq} does not follow the one before it`)
    return seq < next && isWhole
  }

  #readCheckpoint (checkpoint: Checkpoint): void {
    this.#checkpoints++
    const { seq } = checkpoint
    const name = `checkpoint ${seq}`
    if (this.#header && checkpoint.workspace_id !== this.#header.workspace_id) {
      this.#note(`${name} is of another workspace`)
    }
    const key = this.#keys.get(checkpoint.key_id)
    if (!key) this.#note(`${name} is signed with a key that is not trusted`)
    else if (!isSignedBy(checkpoint, key)) this.#note(`${name} has a signature that is not valid`)
    if (seq !== this.#seq) this.#note(`${name} is not behind the entry that it signs, but behind ${this.#seq}`)
    else if (!this.#isAt(checkpoint.hash)) this.#note(`${name} signs another hash than its entry's`)
    if (!this.#isLinked(checkpoint)) this.#note(`${name} does not follow the checkpoint before it`)
    this.#compare(checkpoint)
    this.#signed = { digest: digestOf(checkpoint), seq, last: checkpoint }
  }

  /** @returns whether the last entry has the hash, as far as that is known */
  #isAt (hash: string): boolean {
    return this.#hash === '' || this.#hash === hash
  }

  /** The one that proves where the export begins follows checkpoints that are not in it. */
  #isLinked ({ seq, previous }: Checkpoint): boolean {
    const { digest, last } = this.#signed
    const isProof = last === undefined && seq === this.#header?.after.seq && seq > 0
    return isProof || digest === undefined || previous === digest
  }

  #compare (checkpoint: Checkpoint): void {
    const sent = this.#awaited.get(checkpoint.seq)
    if (!sent) return
    this.#awaited.delete(checkpoint.seq)
    if (!isSame(sent, checkpoint)) this.#note(`checkpoint ${checkpoint.seq} is not the one that was sent away`)
  }

  #readEnd (end: End): void {
    this.#ended = true
    if (end.entries !== this.#entries) this.#note(`the export had ${end.entries} entries, and has ${this.#entries}`)
    if (end.seq !== this.#seq || !this.#isAt(end.hash)) {
      this.#note('the end is of another entry than the last')
    }
    const { after, checkpoint } = this.#header ?? {}
    if (this.#seq > 0 && this.#signed.seq !== this.#seq) this.#note('no checkpoint signs the last entries')
    if (after && after.seq > 0 && this.#checkpoints === 0) this.#note('no checkpoint proves where the export begins')
    if (this.#header && !isSame(checkpoint ?? null, this.#signed.last ?? null)) {
      this.#note('the last checkpoint is not the one that the header names')
    }
  }
}
