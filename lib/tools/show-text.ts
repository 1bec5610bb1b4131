const maxShown = 500

/**
 * Characters that a person does not see, or that move others: controls, line separators, what Unicode says is drawn as
 * nothing (joiners, bidirectional marks, tags, variation selectors, fillers), and what fonts draw as nothing though it
 * does not (interlinear marks, the blank Braille pattern, the null notehead, blanks of Khitan and of hieroglyphs).
 */
const invisible = new RegExp([
  '\\p{Default_Ignorable_Code_Point}', '\\p{Cc}', '\\p{Zl}', '\\p{Zp}', '[\\ufff9-\\ufffb]', '\\u2800', '\\u{16fe4}',
  '\\u{13441}', '\\u{13442}', '\\u{1d159}'
].join('|'), 'gu')
const lineParts = new Set(['\n', '\t'])
const shortEscapes: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

const words = /[\p{L}\p{M}\p{N}_]+/gu
const latin = /\p{Script=Latin}/u

/** Scripts with letters that are confusable with Latin ones (UTS 39), and the mathematical alphanumerics. */
const foreignLetters = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u{1d400}-\u{1d7ff}]/gu

/** Letters of those scripts that are confusable with Latin ones. */
const confusables = new Set('АВЕЅІЈКМНОРСТУХасеіјорѕухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳՍօոսհցᎠᎡᎢᎪᎬᎳᎷᎻᏃᏟᏢᏴ')

const asEscape = (character: string) => {
  if (character in shortEscapes) return shortEscapes[character] ?? ''
  const code = character.codePointAt(0)?.toString(16) ?? ''
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** Escapes confusables: in words that mix scripts, and in texts whose foreign letters are all confusable. */
const unmask = (text: string): string => {
  const others = text.match(foreignLetters)
  if (!others) return text
  if (others.every((letter) => confusables.has(letter))) return text.replace(foreignLetters, asEscape)
  return text.replace(words, (word) => latin.test(word) ? word.replace(foreignLetters, asEscape) : word)
}

const cut = (text: string): string => {
  if (text.length <= maxShown) return text
  const half = maxShown / 2
  return `${text.slice(0, half)} … ${text.length - maxShown} characters … ${text.slice(-half)}`.toWellFormed()
}

/** @returns the text with invisible characters and confusables as escapes; line feeds and tabs stay */
export const escapeText = (text: string): string =>
  unmask(text.replace(invisible, (character) => lineParts.has(character) ? character : asEscape(character)))

/** @returns the text as it is safe to show for a decision: escaped, and long text as head and tail */
export const showText = (text: string): string => cut(escapeText(text))

/** @returns as `showText`, on one line: no summary or label begins a second line that looks like ours */
export const showLine = (text: string): string => cut(unmask(text.replace(invisible, asEscape)))
