import type { CheckReport } from '../schemas/checks.js'
import type { NotTaken, SpecDocument } from '../schemas/document.js'
import { moreOften, renderMarkdown } from './markdown.js'
import { bullets, section } from './text.js'

/** The quote of a longer sentence is its beginning. */
const quoted = ({ quote, char_start: start, char_end: end }: NotTaken): string =>
  `“${quote}${end - start > quote.length ? '…' : ''}”`

const notTaken = ({ not_taken: items = [] }: SpecDocument): string =>
  bullets(items.map((item) => `${quoted(item)} (${item.location}): ${item.why}` +
    (item.repeats === undefined ? '' : `. ${moreOften(item)}`)))

const counted = ({ not_taken_more: more = [] }: SpecDocument): string => bullets(more.map(({ class: kind, count }) =>
  `${count} more of the class “${kind}” ${count === 1 ? 'is' : 'are'} not listed here; listNotTaken reads them`))

/** The check PSE307 finds what of a document was not read. */
const notRead = (checks: CheckReport | null): string =>
  bullets((checks?.findings ?? []).filter(({ rule_id: id, status }) => id === 'PSE307' && status !== 'fixed')
    .map(({ message }) => message))

/**
 * Renders the spec as one file, with what of the inputs it does not contain at the end. A spec that is read as an input
 * or compared is rendered without that: its sentences are not the spec's.
 */
export const renderWithAppendix = (document: SpecDocument, checks: CheckReport | null): string => {
  const aside = [notTaken(document), counted(document)].filter(Boolean).join('\n')
  const parts = [section('Not read', notRead(checks), 3), section('Not taken', aside, 3)].filter(Boolean)
  const appendix = section('Appendix: what the spec does not contain', parts.join('\n\n'))
  return `${renderMarkdown(document)}${appendix && `\n${appendix}\n`}`
}
