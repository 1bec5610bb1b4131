import type { Piece } from './changed'

const isWhole = (pieces: readonly Piece[]): boolean =>
  pieces.every(({ changed, text }) => changed || text.trim() === '')

/** A text whose changed pieces are marked; where all of it changed, nothing has to be found in it. */
export const Pieces = ({ pieces }: { pieces: readonly Piece[] }) => isWhole(pieces)
  ? <>{pieces.map(({ text }) => text).join('')}</>
  : <>{pieces.map(({ text, changed }, index) => changed ? <mark key={index} class='changed'>{text}</mark> : text)}</>
