import type { OpenPull } from '../../../../schemas/codehost/pulls.js'
import type { CheckReport, Finding } from 'steward-spec-engine/schemas'
import type { OpenSpecPull } from '../../../../schemas/pse/pull.js'
import type { SpecVersion } from '../../../../schemas/pse/versions.js'
import { type ExportFile, inline, join, section, slugOf, table } from 'steward-spec-engine/export'

/** How many findings the pull request lists; the report has all of them. */
const maxFindings = 30

/** Breaks @name and #1 in texts of inputs, so that the code host notifies no one and closes no issue. */
export const quiet = (text: string): string => text.replace(/([@#])(?=[\p{L}\p{N}])/gu, '$1\u200B')

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`

const checked = ({ verdict, counts: { error, warn }, coverage }: CheckReport): string[][] => [
  ['Checks', `${verdict}: ${count(error, 'error')}, ${count(warn, 'warning')}`],
  ['Sentences of the inputs', `${coverage.sentences ?? 0}, of which ${coverage.taken ?? 0} are taken, ` +
    `${coverage.set_aside ?? 0} set aside and ${coverage.undecided ?? 0} undecided`]
]

const numbers = ({ document, checks }: SpecVersion): string[][] => [
  ['Requirements', String(document.requirements.filter(({ status }) => status === 'active').length)],
  ['Open questions', String(document.open_questions.filter(({ status }) => status === 'open').length)],
  ...(checks ? checked(checks) : [['Checks', 'not checked']])
]

const findings = (checks: CheckReport | null): string => {
  const open = checks?.findings.filter(({ status }) => status === 'open') ?? []
  const row = ({ severity, rule_id, target, message }: Finding) => [severity, rule_id, target, message]
  const more = open.length + (checks?.findings_omitted ?? 0) - maxFindings
  return open.length === 0
    ? ''
    : join([
      table(['Severity', 'Rule', 'Where', 'What'], open.slice(0, maxFindings).map(row)),
      more > 0 && `And ${more} more.`
    ]).trimEnd()
}

const bodyOf = (made: SpecVersion): string => quiet(join([
  `Version ${made.version} of the spec “${inline(made.document.title)}”.`,
  made.document.engine.notice && `> ${inline(made.document.engine.notice)}`,
  table(['', ''], numbers(made)),
  section('Findings', findings(made.checks))
]))

/** Each session has one branch, so that a newer version updates the same pull request. */
const branchOf = ({ session_id: id, document }: SpecVersion): string =>
  `spec/${slugOf(document.title)}-${id.slice(-8)}`

type Input = Pick<OpenSpecPull, 'path_prefix' | 'head' | 'draft'> & { base: string }

/** @returns the pull request for a version's export, the same for the same version */
export const describeSpecPull = (made: SpecVersion, exported: readonly ExportFile[], input: Input): OpenPull => {
  const { path_prefix: prefix, base, head, draft } = input
  const title = `Spec: ${inline(made.document.title)}`
  return {
    title,
    body: bodyOf(made),
    commit_message: `${title} (version ${made.version})`,
    head: head ?? branchOf(made),
    base,
    files: exported
      .map(({ path, content }) => ({ path: prefix === undefined ? path : `${prefix}/${path}`, content })),
    draft
  }
}
