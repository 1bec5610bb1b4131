const HEX = '0123456789abcdef'
const DIGITS = '0123456789'
const MIXED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A number in [0, 1) that depends only on the text. */
export function chance (text: string): number {
  let hash = 2166136261
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}

/** Identifiers in AWS's shapes, the same ones in the same order for the same seed. */
export class Ids {
  #count = 0

  constructor (private readonly seed = 'sandbox') {}

  hex (length: number): string { return this.#draw(HEX, length) }
  digits (length: number): string { return '1' + this.#draw(DIGITS, length - 1) }
  mixed (length: number): string { return this.#draw(MIXED, length) }
  upper (length: number): string { return this.#draw(UPPER, length) }

  uuid (): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-')
  }

  #draw (alphabet: string, length: number): string {
    const base = `${this.seed}/${this.#count++}/`
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[Math.floor(chance(base + i) * alphabet.length)]
    return text
  }
}
