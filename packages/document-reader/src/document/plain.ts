const entities: Record<string, string> = { nbsp: ' ', lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", ndash: '–' }

/** Joins a word that a line's end divides; a hyphen after these is the word's own. */
const compound = /(?:^|[^\p{L}])(?:well|self|non|re|pre|post|low|high|real|end|cross|multi|long|short|full|half|on|off)$/iu

const mendLines = (passage: string): string => passage.replace(/(\p{L}{1,40})-\n[ \t>]*(?=\p{Ll})/gu,
  (_, before: string) => compound.test(before) ? `${before}-` : before)

/** @returns the words of a passage without Markdown's emphasis, links, escapes and line breaks */
export const plain = (passage: string): string => mendLines(passage)
  .replace(/\\?\[=([^=\]\n]{1,80})=\\?\]/g, '$1')
  .replace(/!?\[([^\][\n]{1,300})\](?:\([^)\s]{0,500}\)|\[[^\][\n]{0,200}\])/g, '$1')
  .replace(/:(pep|rfc):`/g, (_, name: string) => `${name.toUpperCase()} \``).replace(/:[a-z][\w+-]{1,20}:(?=`)/g, '').replace(/`([^`<>]{1,200}) <[^<>`]{1,500}>`_{0,2}/g, '$1')
  .replace(/`_{1,2}(?![\p{L}\p{N}_])/gu, '`')
  .replace(/\*\*|__|~~|`|<\/?v(?:[ .][^<>\n]{1,60})?>|(?<=^|\s)[*_](?=\S)|(?<=\S)[*_](?=\s|[.,;:!?]|$)/g, '')
  .replace(/&(nbsp|lt|gt|amp|quot|apos|ndash);/g, (_, name: string) => entities[name] ?? '')
  .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  .replace(/\n[ \t>]*/g, ' ').replace(/[ \t\r\f\u00a0]+/g, ' ').trim()
