/** Code fences, code spans, HTML comments, and link definitions without a target, which Markdown uses as comments. */
const marks = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})|`+|<!--|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*(?:#|<#?>)[ \t]*(?=["'(]).*$/gm

const closingFence = (opening: string): RegExp =>
  new RegExp(`^ {0,3}${opening.charAt(0)}{${opening.length},}[ \\t]*$`, 'gm')

/** Reads a text once from its beginning to its end. */
class Reader {
  readonly hidden: [number, number][] = []
  /** Start offsets of runs of backticks, by length; the reader drops those before its position. */
  readonly #runs = new Map<number, number[]>()
  #blank = 0

  constructor (private readonly text: string) {
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const known = this.#runs.get(run.length)
      if (known) known.push(index)
      else this.#runs.set(run.length, [index])
    }
    for (const starts of this.#runs.values()) starts.reverse()
  }

  read (): this {
    marks.lastIndex = 0
    for (let match = marks.exec(this.text); match; match = marks.exec(this.text)) {
      marks.lastIndex = Math.max(this.#pass(match), match.index + 1)
    }
    return this
  }

  /** @returns the offset to continue at */
  #pass ({ 0: mark, 1: fence, index }: RegExpExecArray): number {
    const end = index + mark.length
    if (fence !== undefined) return this.#endOfFence(fence, end)
    if (mark.startsWith('`')) return this.#endOfSpan(mark.length, end)
    return mark === '<!--' ? this.#dropComment(index) : this.#drop(index, end)
  }

  #endOfFence (fence: string, from: number): number {
    const closing = closingFence(fence)
    closing.lastIndex = from
    return closing.exec(this.text) ? closing.lastIndex : this.text.length
  }

  /** A code span ends at a run of the same length in the same paragraph; otherwise the backticks are text. */
  #endOfSpan (length: number, from: number): number {
    const starts = this.#runs.get(length) ?? []
    while (starts.length > 0 && Number(starts.at(-1)) < from) starts.pop()
    const close = starts.at(-1)
    return close !== undefined && close < this.#endOfParagraph(from) ? close + length : from
  }

  #endOfParagraph (from: number): number {
    if (this.#blank < from) {
      const blank = /\n[ \t\r]*\n/g
      blank.lastIndex = from
      this.#blank = blank.exec(this.text)?.index ?? this.text.length
    }
    return this.#blank
  }

  /** A comment without an end hides the rest of the text if it begins a line, as in HTML; otherwise it is text. */
  #dropComment (index: number): number {
    const close = this.text.indexOf('-->', index + 2)
    if (close !== -1) return this.#drop(index, close + 3)
    const line = this.text.slice(this.text.lastIndexOf('\n', index) + 1, index)
    return /^ {0,3}$/.test(line) ? this.#drop(index, this.text.length) : this.text.length
  }

  #drop (from: number, to: number): number {
    this.hidden.push([from, to])
    return to
  }
}

/** @returns the ranges of comments, in order; those in code are none, in time linear in the text */
export const hiddenIn = (text: string): [number, number][] => new Reader(text).read().hidden

/** @param hidden ranges in order */
export const withoutRanges = (text: string, hidden: readonly (readonly [number, number])[]): string => {
  const starts = [0, ...hidden.map(([, to]) => to)]
  const ends = [...hidden.map(([from]) => from), text.length]
  return starts.map((start, at) => text.slice(start, ends[at])).join('')
}

/**
 * A reader of the rendered page does not see comments: no requirement may come from them, and no model may receive
 * them.
 * @returns the text without comments; those in code stay
 */
export const dropHidden = (text: string): string => withoutRanges(text, hiddenIn(text))
