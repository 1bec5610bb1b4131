import { cutAt } from './cut-at.js'

/** @returns the parts of "As a <role>, I want to <want>, so that <soThat>."; undefined when it is no such sentence */
export const readStory = (says: string): { role: string, want: string, soThat: string } | undefined => {
  const opening = /^as (?:an? )?/i.exec(says)
  const [role, wanted] = opening ? cutAt(says.slice(opening[0].length), /,? i (?:want to|want|can) /i) : []
  if (role === undefined || wanted === undefined || wanted.includes('\n')) return undefined
  const [want = '', soThat = ''] = cutAt(wanted.replace(/\.$/, ''), /,? so that /i)
  return { role, want, soThat }
}
