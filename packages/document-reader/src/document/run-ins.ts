import { roleOf } from './roles.js'
import type { BlockKind } from './block.js'

/** "**Limits**: 50 schedules a user": a heading in the line of its text. */
const runIn = /^[ \t]*(\*{1,2}|__?)(?=\p{Lu})([^*_\n:]{3,40})(?::\1|:?\1(?:[ \t]*[:—–]|[ \t]+-))[ \t]+(?=\S)/u
/** "Rationale: …" explains the demand above it. */
const reasons = /^(?:rationale|why|reason|begründung|justification|justificación)$/i
/** "Guardrails: …", "Constraints — …": the same without marks, of the names that no speaker has. */
const plainRunIn = /^[ \t]*(guard ?rails?|(?:technical |business |design )?constraints?|limits?|limitations|requirements?|(?:functional|non-functional) requirements?|acceptance criteria|must[- ]haves?|should[- ]haves?|could[- ]haves?|nice[- ]to[- ]haves?|(?:in|out of) scope|scope|non-?goals?|goals?|assumptions?|risks?|security|privacy|performance|accessibility|randbedingungen|grenzwerte|anforderungen|sicherheit|nicht-?ziele|ziele|annahmen|risiken|contraintes|exigences|objectifs|sécurité|restricciones|requisitos|objetivos|seguridad|riesgos)(?::|[ \t]+[—–])[ \t]+(?=\S)/iu
/** "**Priority:** High": a field of a record. */
export const fieldLine = /^[ \t]*\*\*\p{Lu}[^*\n]{1,40}(?::\*\*|\*\*:)/u

/**
 * @param open the block that the line may go on with
 * @returns the heading in the line of its text, and how long it is with what divides them
 */
export const runInOf = (text: string, open: BlockKind | undefined): { title: string, length: number } | undefined => {
  const isParagraph = open === 'paragraph'
  const isFresh = open === undefined || (isParagraph && fieldLine.test(text))
  const plain = isFresh || isParagraph ? plainRunIn.exec(text) : null
  if (plain?.[1] !== undefined) return { title: plain[1], length: plain[0].length }
  const marked = isFresh ? runIn.exec(text) : null
  const title = marked?.[2] ?? ''
  if (!marked || reasons.test(title) || roleOf([title]) === undefined) return undefined
  return { title, length: marked[0].length }
}
