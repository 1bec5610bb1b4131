import { defineWriteTool } from '../../../lib/tools/options.js'
import { Content, ContentParams, UndeleteContent } from '../../../schemas/content/contents.js'
import { etag } from '../../../schemas/revisions.js'
import { requireNotLive } from './move-content.js'
import { contentTarget, contentUrl, readRecord, summarize } from './tool-targets.js'

const describe = ({ title, status, head_version: head }: Content) => `"${title}", version ${head}, ${status}`

export const deleteContentTool = defineWriteTool({
  input: { params: ContentParams },
  basis: 'Its title, status and newest version, which go with it; what is live or scheduled is not deleted',
  async plan ({ content_id: id }, read) {
    const content = await readRecord(id, read)
    requireNotLive(content)
    return {
      target: contentTarget(content),
      summary: `Delete "${content.title}"; for 30 days it can be brought back`,
      changes: [{ label: 'Record', before: describe(content), after: null }],
      ifMatch: etag(content.revision),
      risk: 'high'
    }
  }
})

export const undeleteContentTool = defineWriteTool({
  input: { params: ContentParams, body: UndeleteContent },
  editable: [],
  basis: 'What would come back: its title, status and newest version; its address must be free',
  async plan (input, read) {
    const content = await read(`${contentUrl(input.content_id)}/undelete`, Content, {})
    return {
      target: contentTarget(content),
      summary: summarize(input.dry_run, `Bring back the deleted record "${content.title}"`),
      changes: [{ label: 'Record', before: null, after: describe(content) }],
      covered: ['dry_run'],
      effect: input.dry_run ? 'read' : 'write',
      risk: 'low'
    }
  }
})
