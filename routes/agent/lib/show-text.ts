const maxShown = 500

/** Characters that hide or reorder what a person reads: controls, bidirectional marks, zero-width. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

const asEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @returns the text as it is safe to show for a decision: hidden characters as escapes, long text as head and tail */
export const showText = (text: string): string => {
  const plain = text.replace(hidden, asEscape)
  if (plain.length <= maxShown) return plain
  const half = maxShown / 2
  return `${plain.slice(0, half)} … ${plain.length - maxShown} characters … ${plain.slice(-half)}`.toWellFormed()
}
