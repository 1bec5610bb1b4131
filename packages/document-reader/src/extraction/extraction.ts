/** What a text was taken out of, and what it is now. */
export interface Extraction {
  text: string
  media_type: string
  /** null where there are none */
  pages: number | null
  truncated: boolean
  /** What of the document is not in the text; missing where all of it is. */
  left_out?: string
}

export const maxChars = 1_000_000

/** @returns as much of a text as is read, and what is left out of it */
export const firstOf = (text: string): Pick<Extraction, 'text' | 'truncated' | 'left_out'> => text.length > maxChars
  ? { text: text.slice(0, maxChars), truncated: true, left_out: `${text.length - maxChars} characters at its end` }
  : { text, truncated: false }
