import { roleOf } from './roles.js'
import type { Heading } from './block.js'
import { consistsOf, type Line } from './lines.js'
import { foreignId, gherkin, scenarioTitle } from './marks.js'

const atx = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const underline = /^ {0,3}(=+|-+)[ \t]*$/
export const item = /^([ \t]*)(?:[-*+•‣▪–●○■□➢➤►❖\uE000-\uF8FF][ \t]+|o {2,}(?=\S)|\(?[0-9]{1,4}\\?[.)][ \t]+|[0-9]{1,2}[a-z][0-9]{0,2}[.)][ \t]+|\*[a-z][0-9]{0,2}[.)][ \t]+|[0-9]{1,3} ?\\?[-–] ?(?=[A-ZÄÖÜÉÁ][a-zäöüéá])|[a-z][.)][ \t]+)(?:\[[ xX]\][ \t]+)?(?=\S)|^([ \t]*)\[[ xX]\][ \t]+(?=\S)/
/** In plain text, a line that ends with a colon or is in capitals is a heading. */
const label = /^(?:\*\*)?[\p{Lu}][^.!?:|]{1,70}:?(?:\*\*)?:?$/u
const capitals = /^[\p{Lu}\p{N}][\p{Lu}\p{N} &/,'-]{3,60}$/u
const bold = /^(?:\*\*[^*]{2,90}\*\*|\*(?=\p{Lu})[^*.!?]{2,40}\*):?$/u
const numbered = /^[ \t]{0,6}(\d{1,3}(?:\.\d{1,3}){0,4})\\?\.?[ \t]+([\p{Lu}][^.!?|]{1,70})$/u
const appendix = /^(?:appendix|annex|anhang|annexe) \p{L}\b/iu
const titledAppendix = /^(?:appendix|annex|anhang|annexe) \p{L} ?[:–-] [^.\t]{3,60}$/iu

/** A line such as "The system must:" is the stem of a list, not a heading. */
export const modal = new RegExp('\\b(?:must|shall|should|can|may|will|needs? to|muss|müssen|soll|sollen|doit|doivent|' +
  'devra|devront|pourra|pourront|permettra|permettront|sera|seront|debe|deben|deberá|deberán|podrá|podrán|permitirá|' +
  'será|serán)(?!\\p{L})', 'iu')

/** Without marks, tags and the anchor of kramdown and Pandoc: "Scope {#scope}". */
export const plainHeading = (text: string): string =>
  text.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '').replace(/<\/?[a-z][^<>]{0,200}>/gi, '').replace(/\{#[^{}\n]{1,100}\}/g, '')
    .replace(/[*_`]|\\(?=[.)])/g, '').trim()

/** @returns whether the line is underlined as a heading, and how far; a table's separator and a rule are not */
const underlined = (trimmed: string, next: string): Heading | undefined => {
  const under = underline.exec(next)?.[1]
  if (!under || trimmed.length > 200 || (under.length < 2 && under !== '=')) return undefined
  return { level: under.startsWith('=') ? 1 : 2, title: plainHeading(trimmed) }
}

/** "**Must haves**": how much what stands below is wanted. */
const rank = /^(?:\*\*)?(?:[^.!?:*|]{2,40} [-–—] )?(?:must|should|could|won['’]t|nice[- ]to)[ -]haves?\b[^.!?]{0,30}$/i

const isLabelled = (trimmed: string, next: string): boolean => {
  const isStem = modal.test(trimmed) && !rank.test(trimmed)
  const isLabel = /:(?:\*\*)?$/.test(trimmed) && label.test(trimmed) && !isStem
  const isBold = bold.test(trimmed) && (next.trim() === '' || !next.trim().startsWith('**')) && !isStem
  const isAbove = next.trim() === '' || item.test(next) || foreignId(next) !== undefined
  return isLabel || isBold || (capitals.test(trimmed) && !modal.test(trimmed) && isAbove)
}

/** What stands above the list of what a story is accepted by, as its own line. */
const acceptance = 'acceptance(?: criteri(?:a|on))?|acs?|done when|akzeptanzkriterien|critères d[\'’]acceptation|' +
  'criterios de aceptaci[óo]n'
export const acceptanceLabel = new RegExp(`^[ \\t]*(?:\\*\\*)?(?:${acceptance})(?:\\*\\*)?:?(?:\\*\\*)?[ \\t]*$`, 'iu')

const title = /^\p{Lu}[^.!?,;:|"<>=(){}]{2,60}$/u

/** "what the client wants (call of 4.11.)": notes begin in small letters. */
const wanted = /^what (?:(?:the |our )?\p{L}+ )(?:needs?|wants?)\b[^?]{0,60}$/iu

const isIndented = (line: Line | undefined): boolean => /^[ \t]/.test(line?.text ?? '')

/** "DS-220 Soil Sensor - Firmware Requirements": the first line of a text, alone, is its title. */
const firstLine = /^\p{Lu}[^.!?;|"<>={}]{4,90}$/u
const isTitle = (lines: readonly Line[], at: number, trimmed: string): boolean =>
  firstLine.test(trimmed) && !modal.test(trimmed) && trimmed.split(' ').length <= 12 &&
  (lines[at + 1]?.isBlank ?? false) && lines.slice(0, at).every(({ isBlank }) => isBlank) &&
  roleOf([trimmed]) !== undefined

/** A few words alone between blank lines, with text below them. */
const isAlone = (lines: readonly Line[], at: number, trimmed: string): boolean =>
  (wanted.test(trimmed) || (title.test(trimmed) && trimmed.split(' ').length <= 7)) &&
  (!modal.test(trimmed) || rank.test(trimmed)) && (lines[at - 1]?.isBlank ?? true) &&
  (lines[at + 1]?.isBlank
    ? lines.slice(at + 2, at + 5).some(({ isBlank }) => !isBlank)
    // "Constraints" right above its list, or "Power" above one that is indented.
    : item.test(lines[at + 1]?.text ?? '') && (roleOf([trimmed]) !== undefined || isIndented(lines[at + 1])))

/** "4.1.3 Functional Requirements", as Word copies its headings into text: with a tab, and its text right below. */
const tabbed = /^(\d{1,3}(?:\.\d{1,3}){0,4})\.?\t+(\p{Lu}[^.!?|]{1,70})$/u

const tabbedHeading = ({ text }: Line, next: string): Heading | undefined => {
  const found = tabbed.exec(text.trimEnd())
  if (!found?.[1] || !found[2] || modal.test(found[2]) || found[2].split(' ').length > 7) return undefined
  // "4. System Features" is one where "4.1" follows; else it is an item of a list.
  if (!found[1].includes('.') && !next.startsWith(`${found[1]}.1`)) return undefined
  return { level: found[1].split('.').length, title: `${found[1]} ${plainHeading(found[2])}` }
}

/** "4. Rules" right above "4.1 …", and "1. Purpose" right above its text. */
const isChapter = (number: string, name: string, below: string): boolean =>
  below.trimStart().startsWith(`${number}.1 `) || below.startsWith('/') || (name.split(' ').length <= 4 && /^\p{Lu}\p{Ll}.*\.\s*$/u.test(below))

/** "2.1 Content" alone on its line, where no list goes on below it. */
const numberedHeading = (lines: readonly Line[], at: number): Heading | undefined => {
  const { text = '' } = lines[at] ?? {}
  const found = numbered.exec(text)
  if (!found?.[1] || !found[2] || modal.test(found[2]) || found[2].split(' ').length > 9) return undefined
  const below = lines[at + 1]
  if (below && !below.isBlank && !isChapter(found[1], found[2], below.text)) return undefined
  const next = lines.slice(at + 2, at + 4).find(({ isBlank }) => !isBlank)
  // "1. Purpose", a sentence right below it, and then "2. Periods".
  const isNamed = below !== undefined && !below.isBlank && roleOf([found[2]]) !== undefined
  // "1 Purpose" without a full stop is no item.
  const isMarked = /^\s*\d{1,3}\\?\./.test(text)
  const isList = next !== undefined && !isNamed && isMarked && !found[1].includes('.') &&
    next.text.trimStart().startsWith(`${Number(found[1]) + 1}`) && (lines[at - 1]?.isBlank ?? true)
  return isList ? undefined : { level: found[1].split('.').length, title: `${found[1]} ${plainHeading(found[2])}` }
}

/** "SECTION 2 - BACKGROUND", also right above its text. */
const section = /^(?:section|top|agenda item|item|punto|chapter|part|article|kapitel|abschnitt|teil|chapitre|partie|sección|capítulo|parte) (?:\d{1,3}|[IVX]{1,5}|[A-Z])(?: ?[-–—:.] ?\p{Lu}[^.!?|]{1,60})?$/iu

/** "3.2 Functional Requirements" right above "3.2.1 …", also below a paragraph. */
const aboveItsParts = ({ text }: Line, next: string): Heading | undefined => {
  const found = numbered.exec(text.trimEnd())
  const isAbove = found !== null && next.trimStart().startsWith(`${found[1]}.1 `) && !modal.test(found[2] ?? '')
  return isAbove
    ? { level: found[1]?.split('.').length ?? 1, title: `${found[1]} ${plainHeading(found[2] ?? '')}` }
    : undefined
}

/** @returns the heading that the line is; `fresh` = no paragraph is open above it */
export const headingAt = (lines: readonly Line[], at: number, fresh: boolean): Heading | undefined => {
  const { text = '' } = lines[at] ?? {}
  const hashes = atx.exec(text)
  if (hashes) return { level: (hashes[1] ?? '').length, title: plainHeading(hashes[2] ?? '') }
  const line = lines[at]
  const tabbedOne = line && tabbedHeading(line, lines[at + 1]?.text ?? '')
  if (tabbedOne) return tabbedOne
  const above = line && aboveItsParts(line, lines[at + 1]?.text ?? '')
  if (above) return above
  if (!fresh || gherkin.test(text) || scenarioTitle.test(text)) return undefined
  const numberedOne = numberedHeading(lines, at)
  if (numberedOne) return numberedOne
  const trimmed = text.trim()
  const next = lines[at + 1]?.text ?? ''
  if (item.test(text) || trimmed.startsWith('|') || trimmed.startsWith('>')) return undefined
  if (section.test(trimmed) && !modal.test(trimmed)) return { level: 1, title: plainHeading(trimmed) }
  const isAppendix = titledAppendix.test(trimmed) || (appendix.test(trimmed) && next.trim() === '')
  if (isAppendix && trimmed.length < 80) return { level: 1, title: trimmed }
  if (foreignId(text)) return isTitle(lines, at, trimmed) ? { level: 1, title: plainHeading(trimmed) } : undefined
  return underlined(trimmed, next) ?? (isLabelled(trimmed, next) || isAlone(lines, at, trimmed)
    ? { level: 7, title: plainHeading(trimmed.replace(/:(\*\*)?:?$/, '$1')) }
    : undefined)
}

/** @returns whether the next line underlines the heading, and is a part of it */
export const isUnderlined = (text: string, next: string, { level }: Heading): boolean =>
  level < 3 && underline.test(next) && !atx.test(text)

export const isRule = (text: string): boolean => {
  const marks = text.trim().replaceAll(' ', '')
  return marks.length >= 3 && ['-', '*', '_'].some((mark) => consistsOf(marks, mark))
}
