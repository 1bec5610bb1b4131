const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** @returns how many characters a reader sees */
export const graphemes = (text: string): number => {
  let count = 0
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  for (const _ of segmenter.segment(text)) count++
  return count
}
