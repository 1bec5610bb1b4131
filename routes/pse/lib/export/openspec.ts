import type { Criterion, Requirement, SpecDocument } from '../../../../schemas/pse/document.js'
import type { ExportFile } from './files.js'
import { bullets, inline, join, paragraphs, section, slugOf } from './text.js'

/** What OpenSpec's validator asks of a change. */
const whyLimits = { min: 50, max: 1_000 }
const maxStatement = 500

const whyOf = ({ problem, summary, title }: SpecDocument): string => {
  const text = inline(problem || summary)
  const long = text.length >= whyLimits.min
    ? text
    : inline(`${text} This change says what ${title} has to do, as its inputs ask for it.`)
  return long.slice(0, whyLimits.max).toWellFormed()
}

/** The body says SHALL or MUST in capitals; a sentence that is kept word for word may not. */
const bodyOf = ({ statement }: Requirement): string => {
  const text = inline(statement)
  const body = /\b(SHALL|MUST)\b/.test(text) ? text : `The following SHALL hold: ${text}`
  return body.slice(0, maxStatement).toWellFormed()
}

const scenario = ({ given, when, then }: Pick<Criterion, 'given' | 'when' | 'then'>, title: string): string => join([
  `#### Scenario: ${inline(title)}`,
  [given && `- **GIVEN** ${inline(given)}`, `- **WHEN** ${inline(when)}`, `- **THEN** ${inline(then)}`]
    .filter(Boolean).join('\n')
]).trimEnd()

/** Nobody wrote a criterion: the scenario says that the statement is what is looked at, and adds nothing. */
const bare = (item: Requirement) => scenario({
  given: '', when: `the requirement is verified by ${item.verification}`, then: item.statement
}, `${item.id} holds`)

const requirement = (item: Requirement): string => join([
  `### Requirement: ${item.id} ${inline(item.title)}`,
  bodyOf(item),
  item.acceptance.length > 0
    ? item.acceptance.map((criterion) => scenario(criterion, criterion.id)).join('\n\n')
    : bare(item)
]).trimEnd()

const active = ({ requirements }: SpecDocument) => requirements.filter(({ status }) => status === 'active')

const tasks = (document: SpecDocument): string => {
  const items = document.tasks.length > 0
    ? document.tasks.map(({ title }) => title)
    : active(document).map(({ id, title }) => `${id} ${title}`)
  return join(['## 1. Implementation', items.map((title, at) => `- [ ] 1.${at + 1} ${inline(title)}`).join('\n')])
}

/** A change folder as OpenSpec keeps it, that adds the spec as one capability. */
export const toOpenSpec = (document: SpecDocument): ExportFile[] => {
  const slug = slugOf(document.title)
  const folder = `openspec/changes/add-${slug}`
  return [
    {
      path: `${folder}/proposal.md`,
      content: join([
        section('Why', whyOf(document)),
        section('What Changes', bullets(active(document).slice(0, 10).map(({ id, title }) => `${id} ${title}`))),
        section('Impact', bullets([`Affected specs: ${slug}`]))
      ])
    },
    { path: `${folder}/tasks.md`, content: tasks(document) },
    ...(document.design ? [{ path: `${folder}/design.md`, content: join([paragraphs(document.design)]) }] : []),
    {
      path: `${folder}/specs/${slug}/spec.md`,
      content: join([section('ADDED Requirements', active(document).map(requirement).join('\n\n'))])
    }
  ]
}
