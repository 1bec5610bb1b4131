const maxShown = 500

/** Characters that hide or reorder what a person reads: controls, bidirectional marks, zero-width. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

const words = /[\p{L}\p{M}\p{N}_]+/gu
const latin = /\p{Script=Latin}/u

/** Scripts of which some letters are drawn as Latin ones, and Latin letters as mathematicians draw them. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u{1d400}-\u{1d7ff}]/gu

/** Letters of those scripts that cannot be told from Latin ones. */
const twins = new Set('АВЕЅІЈКМНОРСТУХасеіјорѕухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳՍօոսհցᎠᎡᎢᎪᎬᎳᎷᎻᏃᏟᏢᏴ')

const asEscape = (character: string) => {
  const code = character.codePointAt(0)?.toString(16) ?? ''
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** A word of two such scripts pretends to be another, and so does a text whose foreign letters all look Latin. */
const unmask = (text: string): string => {
  const others = text.match(alike)
  if (!others) return text
  if (others.every((letter) => twins.has(letter))) return text.replace(alike, asEscape)
  return text.replace(words, (word) => latin.test(word) ? word.replace(alike, asEscape) : word)
}

/**
 * @returns the text as it is safe to show for a decision: hidden characters and letters that pretend to be others as
 *   escapes, long text as head and tail
 */
export const showText = (text: string): string => {
  const plain = unmask(text.replace(hidden, asEscape))
  if (plain.length <= maxShown) return plain
  const half = maxShown / 2
  return `${plain.slice(0, half)} … ${plain.length - maxShown} characters … ${plain.slice(-half)}`.toWellFormed()
}
