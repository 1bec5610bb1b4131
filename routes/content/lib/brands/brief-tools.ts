import { fieldChanges } from '../../../../lib/tools/changes.js'
import { defineWriteTool, type Change } from '../../../../lib/tools/options.js'
import { BriefBody } from 'steward-prose-engine/schemas'
import { BriefParams, BriefTransition, CreateBrief, ReplaceBrief, type Brief } from '../../../../schemas/content/briefs.js'
import { keysOf } from '../../../../schemas/unknown.js'
import { etag } from '../../../../schemas/revisions.js'
import { requireValidBrief, requireNoBriefReadOnly, requireBriefMove, writableBrief } from './change-brief.js'
import { BriefState } from '../errors.js'
import { bodyReader } from '../read-body.js'
import { briefTarget, nameProject, projectRow, readBriefRecord } from '../tool-targets.js'

const fields = keysOf(BriefBody.properties)

const changesOf = (after: Partial<BriefBody>, before: Partial<BriefBody>): Change[] =>
  fieldChanges(fields.filter((field) => after[field] !== undefined || before[field] !== undefined), after, before)

export const createBriefTool = defineWriteTool({
  input: { body: CreateBrief },
  reads: [],
  basis: 'Nothing: what is made is all in the arguments, and its project is in use',
  additive: true,
  async plan (input, read) {
    const { project_id: project } = input
    const name = await nameProject(project, read)
    return {
      target: { kind: 'brief', id: `new:${input.title}`, within: { project } },
      summary: `Create the brief "${input.title}" in project ${name}`,
      changes: [projectRow(name), ...changesOf(input, {})],
      risk: ['only_adds']
    }
  }
})

const written = bodyReader(ReplaceBrief)

export const replaceBriefTool = defineWriteTool({
  input: { params: BriefParams, body: ReplaceBrief },
  editable: [...fields],
  reads: ['getBrief'],
  basis: 'Every field of the brief, for it is replaced as a whole; its status may change, unless it is archived',
  async plan ({ brief_id: id, ...input }, read) {
    const before = await readBriefRecord(id, read)
    requireNoBriefReadOnly(input, before)
    if (before.status === 'archived') throw BriefState('An archived brief is not edited; bring it back first')
    const after = writableBrief(written(input))
    requireValidBrief(after)
    return {
      target: briefTarget(before),
      summary: `Change the brief "${before.title}"`,
      changes: changesOf(after, before),
      args: { brief_id: before.id, ...writableBrief(input) },
      ifMatch: etag(before.revision),
      risk: ['own_records']
    }
  }
})

/** Calling a brief ready approves all of its text at this revision. */
const readyChanges = ({ status, revision }: Brief, to: string): Change[] => to === 'ready' && status !== 'ready'
  ? [{ label: 'Revision', before: revision, after: revision + 1 }]
  : []

export const transitionBriefTool = defineWriteTool({
  input: { params: BriefParams, body: BriefTransition },
  reads: ['getBrief'],
  basis: 'The status, and the title by which a person knows it; of a brief that becomes ready, its whole text',
  async plan ({ brief_id: id, to }, read) {
    const brief = await readBriefRecord(id, read)
    requireBriefMove(brief.status, to)
    return {
      target: briefTarget(brief),
      summary: `Move the brief "${brief.title}" from ${brief.status} to ${to}`,
      changes: [{ label: 'Status', field: 'to', before: brief.status, after: to }, ...readyChanges(brief, to)],
      facts: { title: brief.title },
      ifMatch: etag(brief.revision),
      risk: [to === 'archived' ? 'archives' : 'own_records']
    }
  }
})

export const archiveBriefTool = defineWriteTool({
  input: { params: BriefParams },
  reads: ['getBrief'],
  basis: 'The status, and the title by which a person knows it; what it says is kept',
  async plan ({ brief_id: id }, read) {
    const brief = await readBriefRecord(id, read)
    return {
      target: briefTarget(brief),
      summary: `Archive the brief "${brief.title}"`,
      changes: [{ label: 'Status', before: brief.status, after: 'archived' }],
      facts: { title: brief.title },
      ifMatch: etag(brief.revision),
      risk: ['archives']
    }
  },
  reconcile: async ({ brief_id: id }, read) =>
    (await readBriefRecord(id, read)).status === 'archived' ? 'done' : 'unclear'
})
