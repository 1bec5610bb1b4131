/** An id that the source gives to what follows it, such as REQ-12, [TRM-001], R1.1 or 3.1. */
const named = /^\s*\[?((?:[A-Z][A-Za-z]{0,9}[-_]){1,3}[A-Z]{0,3}\d{1,6}(?:\.\d{1,4}){0,4}|[A-Z]{1,4}\d{1,4}(?:\.\d{1,4}){1,4}(?:-\d{1,4})?|\d{1,3}(?:\.\d{1,3}){1,5})[a-z]?\]?[.:)]?[ \t]+(?=["“(]?\p{Lu})/u
/** Without a mark inside, an id needs one behind it: "D1: Stock", "R12. The door". */
const marked = /^\s*\[?([A-Z]{1,4}\d{1,4})\]?(?:(?: ?:|[.)])[ \t]+(?=\S)|[ \t]+[-–—][ \t]+(?=\p{Lu}))/u
/** "Requirement 3: …", "Requerimiento 1: …" */
const worded = /^\s*((?:requirement|requerimiento|requisito|exigence|anforderung|restricción|constraint) \d{1,4}) ?:[ \t]+(?=\S)/iu
/** "/LF10/", as a Lastenheft has them. */
const slashed = /^\s*\/([A-Z]{1,4}\d{1,4}[A-Z]?)\/:?[ \t]+(?=\S)/

/** @returns the source's own id at the start of the text, and how long it is with what divides it from the rest */
export const foreignId = (text: string): { id: string, length: number } | undefined => {
  const head = text.slice(0, 80)
  const found = named.exec(head) ?? marked.exec(head) ?? worded.exec(head) ?? slashed.exec(head)
  return found?.[1] === undefined ? undefined : { id: found[1], length: found[0].length }
}

/** A line of a scenario in the words of Gherkin. */
export const gherkin = /^[ \t]*(?:[-*+][ \t]+)?(?:given|when|then|and|but)\b[:,]?[ \t]+\S/i
export const scenarioTitle = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:scenario(?: outline| template)?|background|example)\b[ \t]*:/i

/** The same in files of Gherkin in German, French and Spanish; in prose these words begin many lines. */
export const foreignGherkin = /^[ \t]*(?:[-*+][ \t]+)?(?:angenommen|gegeben (?:sei(?:en)?|ist|sind)|wenn|dann|und|aber|soit|étant donn[ée]e?s?(?: que?)?|quand|lorsque|alors|et|mais|dad[oa]s?|cuando|entonces|y|pero)(?!\p{L})[:,]?[ \t]+\S/iu
export const foreignScenario = /^[ \t]*(?:szenario(?:grundriss)?|grundlage|hintergrund|beispiele?|scénario|contexte|plan du scénario|exemples|escenario|antecedentes|esquema del escenario|ejemplos)[ \t]*:/iu

/** The heading that Steward writes above a comment of an issue. */
export const commentHeading = /^# Comment by (\S{1,100}), (\d{4}-\d\d-\d\dT[\d:.]{5,15}Z)$/

/** A line of tags alone, such as <details>. */
const tag = /<\/?(?:details|summary|div|p|br|hr|center|section|article|img|a|span|table|thead|tbody|picture|source)\b[^<>]{0,300}>/gi

export const isTagsAlone = (line: string): boolean =>
  line.includes('<') && line.length < 2_000 && line.replace(tag, '').trim() === ''

/** What a folded part is called. */
export const foldedTitle = /^[ \t]*(?:<details(?:\s[^<>]{0,100})?>[ \t]*)?<summary(?:\s[^<>]{0,100})?>([^<>]{1,200}(?:<\/?(?:b|strong|h\d|em|i)>[^<>]{0,200}){0,4})<\/summary>[ \t]*$/i
