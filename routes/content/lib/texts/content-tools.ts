import { defineWriteTool, type Change, type Plan } from '../../../../lib/tools/options.js'
import {
  CheckedText, ContentParams, CreateContent, ReplaceContent, ReplacedBody, VersionParams, readOnlyFields,
  type Content
} from '../../../../schemas/content/contents.js'
import { etag } from '../../../../schemas/revisions.js'
import { ContentArchived, SlugTaken, requireNoReadOnly } from '../errors.js'
import { bodyReader } from '../read-body.js'
import { isSameText, textChanges, type Texts } from './text-changes.js'
import { contentTarget, holdersOf, nameProject, projectRow, readBriefRecord, readRecord } from '../tool-targets.js'

const slotFields = ['channel', 'network', 'locale'] as const

export const createContentTool = defineWriteTool({
  input: { body: CreateContent },
  reads: [],
  basis: 'That its address is free and its project in use: what is made is all in the arguments',
  additive: true,
  async plan (input, read) {
    const { translation_of: source = null, ...text } = input
    const { project_id, brief_id = null } = input
    const project = await nameProject(project_id, read)
    const brief = brief_id === null ? null : await readBriefRecord(brief_id, read)
    const original = source === null ? null : await readRecord(source, read)
    const { slug, locale, findings, score } = await read('/content/checks', CheckedText, text)
    if (findings.some(({ rule_id: rule }) => rule === 'CNT-DUP-SLUG')) throw SlugTaken(`${slug} is taken`)
    const args = { ...input, slug, locale }
    return {
      target: { kind: 'content', id: `new:${input.title}`, within: holdersOf({ project_id, brief_id }) },
      summary: `Create the ${input.channel} draft "${input.title}" in project ${project}`,
      changes: [
        projectRow(project),
        ...slotFields.map((field): Change => ({ label: field, field, before: null, after: args[field] })),
        { label: 'Brief', field: 'brief_id', before: null, after: brief?.title, binding: false },
        { label: 'Translation of', field: 'translation_of', before: null, after: original?.title, binding: false },
        ...textChanges(null, args),
        { label: 'Score', before: null, after: score, binding: false, context: true }
      ],
      args,
      risk: ['only_adds']
    }
  }
})

const liveNote = ({ published_version: live }: Content) =>
  live === null ? 'nothing is published' : `version ${live} stays published`

/** @returns the changes of a next version, which is a draft, whatever the review state of the previous one */
export const versionChanges = (content: Content, after: Texts): Change[] => {
  const { head_version: head, review_state: review } = content
  const texts = textChanges(content, after)
  if (isSameText(content, after)) return texts
  return [
    { label: 'Version', before: head, after: head + 1 }, { label: 'Review', before: review, after: 'draft' }, ...texts
  ]
}

const nextVersion = (content: Content, after: Texts, summary: string): Plan => ({
  target: contentTarget(content),
  summary: isSameText(content, after)
    ? `Change nothing of "${content.title}": its newest version says the same`
    : summary,
  changes: versionChanges(content, after),
  facts: { head_version: content.head_version },
  ifMatch: etag(content.revision),
  risk: ['own_records']
})

const requireEditable = ({ status }: Content): void => {
  if (status === 'archived') throw ContentArchived('Restore it before it is edited')
}

const written = bodyReader(ReplacedBody)
const bodyFields: readonly string[] = Object.keys(ReplacedBody.properties)

export const replaceContentTool = defineWriteTool({
  input: { params: ContentParams, body: ReplaceContent },
  editable: [...bodyFields],
  reads: ['getContent'],
  basis: 'The newest version, which is replaced; what is published, scheduled or suggested stays as it is',
  async plan ({ content_id: id, ...input }, read) {
    const content = await readRecord(id, read)
    requireNoReadOnly(input, { ...content }, readOnlyFields)
    requireEditable(content)
    const body = Object.fromEntries(Object.entries(input).filter(([name]) => bodyFields.includes(name)))
    const after = written(body)
    const summary = `Write version ${content.head_version + 1} of "${content.title}", a draft; ${liveNote(content)}`
    return {
      ...nextVersion(content, { ...after, slug: after.slug ?? content.slug }, summary),
      args: { content_id: content.id, ...body }
    }
  }
})

export const restoreVersionTool = defineWriteTool({
  input: { params: VersionParams },
  reads: ['getContent'],
  basis: 'The newest version, which the old one replaces; a version itself never changes',
  async plan ({ content_id: id, version }, read) {
    const content = await readRecord(id, read)
    requireEditable(content)
    const old = await readRecord(id, read, version)
    const summary = `Make version ${version} of "${content.title}" the newest one, as a draft; ${liveNote(content)}`
    return { ...nextVersion(content, old, summary), args: { content_id: content.id, version } }
  }
})
