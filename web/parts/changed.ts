/** A piece of a text; changed pieces are not in the other text. */
export interface Piece { text: string, changed: boolean }

/** The parts of names, addresses and texts: words, and the signs between them. */
const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{N}_.-]+|[^\p{L}\p{N}_.-]/gu) ?? []

/** Tokens of each side; the comparison takes the product of both. */
const most = 400

/** @returns lengths of the longest common subsequence from each pair of positions to the ends */
const lengthsOf = (a: readonly string[], b: readonly string[]): Uint16Array[] => {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [rows[i], rows[i + 1]]
      if (!row || !below) continue
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return rows
}

const add = (pieces: Piece[], text: string, changed: boolean): void => {
  const last = pieces.at(-1)
  if (last?.changed === changed) last.text += text
  else pieces.push({ text, changed })
}

const compare = (a: readonly string[], b: readonly string[]): [Piece[], Piece[]] => {
  const lengths = lengthsOf(a, b)
  const [before, after]: [Piece[], Piece[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]]
    if (x !== undefined && x === y) {
      add(before, x, false)
      add(after, x, false)
      i++
      j++
    } else if (y === undefined || (x !== undefined && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      add(before, x ?? '', true)
      i++
    } else {
      add(after, y, true)
      j++
    }
  }
  return [before, after]
}

const sharedLength = (a: readonly string[], b: readonly string[]): number => {
  const differs = a.findIndex((token, index) => token !== b[index])
  return differs < 0 ? a.length : differs
}

/** @returns both texts in pieces: what they share, and what is only in one of them */
export const compareTexts = (before: string, after: string): [Piece[], Piece[]] => {
  const [a, b] = [tokensOf(before), tokensOf(after)]
  const start = sharedLength(a, b)
  const end = Math.min(sharedLength(a.toReversed(), b.toReversed()), Math.min(a.length, b.length) - start)
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const middle: [Piece[], Piece[]] = midA.length > most || midB.length > most
    ? [[{ text: midA.join(''), changed: true }], [{ text: midB.join(''), changed: true }]]
    : compare(midA, midB)
  const whole = (tokens: string[], pieces: Piece[]): Piece[] => {
    const all: Piece[] = []
    const shared = (text: string) => { if (text !== '') add(all, text, false) }
    shared(tokens.slice(0, start).join(''))
    for (const { text, changed } of pieces) if (text !== '') add(all, text, changed)
    shared(tokens.slice(tokens.length - end).join(''))
    return all
  }
  return [whole(a, middle[0]), whole(b, middle[1])]
}
