import { graphemes } from 'steward-prose-engine/text'

const cut = '…'

/** @returns the text, cut at a word where it is longer than so many characters; the cut is shown */
export const fitWords = (text: string, limit: number): string => {
  if (graphemes(text) <= limit) return text
  let kept = ''
  for (const word of text.split(/\s+/)) {
    const next = kept === '' ? word : `${kept} ${word}`
    if (graphemes(next) + cut.length > limit) break
    kept = next
  }
  const whole = kept === '' ? [...text].slice(0, limit - cut.length).join('') : kept
  return `${whole.replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '')}${cut}`
}

/** @returns the sentences as posts, each with as many sentences as fit into the limit */
export const splitPosts = (sentences: string[], limit: number, measure = graphemes): string[] => {
  const posts: string[] = []
  let open = ''
  for (const sentence of sentences) {
    const next = open === '' ? sentence : `${open} ${sentence}`
    if (measure(next) <= limit) {
      open = next
      continue
    }
    if (open !== '') posts.push(open)
    open = measure(sentence) <= limit ? sentence : fitWords(sentence, limit)
  }
  return open === '' ? posts : [...posts, open]
}
