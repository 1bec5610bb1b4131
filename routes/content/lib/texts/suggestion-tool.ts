import { defineWriteTool, type Change } from '../../../../lib/tools/options.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { DecideSuggestion, SuggestionParams, type ContentSuggestion } from '../../../../schemas/content/suggestions.js'
import { NotFound } from '../../../../schemas/errors.js'
import { etag } from '../../../../schemas/revisions.js'
import { textAt } from './decide-suggestion.js'
import { ContentArchived, SuggestionDecided, SuggestionStale } from '../errors.js'
import { holdersOf, readRecord } from '../tool-targets.js'

/** An accepted text is a new draft version, whatever the review state of the previous one. */
const acceptChanges = async (content: Content, { target, before, text }: ContentSuggestion): Promise<Change[]> => {
  if (content.status === 'archived') throw ContentArchived('Restore it before it is edited')
  if (await textAt(content, target) !== before) throw SuggestionStale()
  return [
    { label: target, field: 'accept', before, after: text },
    { label: 'Review', before: content.review_state, after: 'draft' }
  ]
}

const changesOf = async (content: Content, found: ContentSuggestion, accept: boolean): Promise<Change[]> => {
  const { status, target, text } = found
  const decided = accept ? 'accepted' : 'rejected'
  const label = `Suggestion for ${target}`
  if (status === decided) return [{ label, field: 'accept', before: status, after: decided }]
  if (status !== 'open') throw SuggestionDecided(`It was ${status}`)
  return accept ? acceptChanges(content, found) : [{ label, field: 'accept', before: text, after: null }]
}

export const decideSuggestionTool = defineWriteTool({
  input: { params: SuggestionParams, body: DecideSuggestion },
  reads: ['getContent'],
  basis: 'That it is open, and the text that the accepted one replaces; the rest may be edited',
  async plan (input, read) {
    const { suggestion_id: id, accept } = input
    const content = await readRecord(input.content_id, read)
    const found = content.suggestions.find((one) => one.id === id)
    if (!found) throw NotFound('It is none of the newest suggestions of the record')
    const verb = accept ? 'Accept' : 'Reject'
    return {
      target: { kind: 'suggestion', id, within: { content: content.id, ...holdersOf(content) } },
      summary: `${verb} the suggestion for ${found.target} of "${content.title}"`,
      changes: await changesOf(content, found, accept),
      facts: { status: found.status },
      ifMatch: etag(content.revision),
      risk: ['own_records']
    }
  }
})
