import type { CheckReport, Finding } from 'steward-spec-engine/schemas'
import { type ExportFile, inline, join, section, slugOf, table, featureNumber } from 'steward-spec-engine/export'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { Contents } from '../../../../schemas/codehost/commits.js'
import { OpenedPull, type OpenPull } from '../../../../schemas/codehost/pulls.js'
import { Repository } from '../../../../schemas/codehost/repositories.js'
import { ApiError, InvalidRequest } from '../../../../schemas/errors.js'
import type { OpenedSpecPull, OpenSpecPull } from '../../../../schemas/pse/pull.js'
import type { SpecVersion, ExportLayout } from '../../../../schemas/pse/versions.js'
import type { Deps } from '../errors.js'
import { exportVersion } from '../sessions/export-version.js'
import { describeVersion, readVersion } from '../sessions/read-version.js'

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

interface Wanted {
  repo_id: string
  layout: ExportLayout
  path_prefix?: string | undefined
  base: string
  feature_number?: number | undefined
}

/**
 * @param read reads a folder of the repository
 * @returns the number that spec-kit's folders in the base branch leave for the spec; undefined for other layouts
 * @throws invalid_request for a number that the layout has no use of
 */
export const findFeature = async (title: string, wanted: Wanted,
  read: (url: string, shape: typeof Contents) => Promise<Contents>): Promise<number | undefined> => {
  const { repo_id: id, layout, path_prefix: prefix, base, feature_number: given } = wanted
  if (layout !== 'spec-kit' && given !== undefined) throw InvalidRequest('/feature_number is only for layout spec-kit')
  if (layout !== 'spec-kit' || given !== undefined) return given
  const query = new URLSearchParams({ path: prefix === undefined ? 'specs' : `${prefix}/specs`, ref: base })
  const folder = await read(`/codehost/repos/${encodeURIComponent(id)}/contents?${query}`, Contents)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'codehost_not_found') return undefined
      throw error
    })
  return featureNumber(title, (folder?.entries ?? []).map(({ name }) => name))
}

/**
 * Puts a version's export into a pull request through the area codehost, as the calling person. The same version
 * changes nothing; a newer one updates the same pull request. Resolves the default branch once and names it.
 * @throws not_found, no_version, invalid_request, and what openPull of the code host throws
 */
export const openSpecPull = async (deps: Deps, principal: Principal, sessionId: string, input: OpenSpecPull):
Promise<OpenedSpecPull> => {
  const session = { workspace_id: principal.workspace_id, session_id: sessionId }
  const url = `/codehost/repos/${encodeURIComponent(input.repo_id)}`
  const base = input.base ?? (await readRoute(deps, principal, { url }, Repository)).default_branch
  const { document, version } = await readVersion(deps.db, session.workspace_id, sessionId, input.version)
  const feature = await findFeature(document.title, { ...input, base }, (folder, shape) =>
    readRoute(deps, principal, { url: folder }, shape))
  const { row, files } = await exportVersion(deps.db, session,
    { ...input, version, for_pull: true, ...(feature !== undefined && { feature_number: feature }) })
  const made = describeVersion(row)
  const { expected_head } = input
  const pull = describeSpecPull(made, files, { ...input, base })
  const payload = { ...pull, ...(expected_head !== undefined && { expected_head }) }
  const opened = await readRoute(deps, principal, { method: 'POST', url: `${url}/pulls`, payload }, OpenedPull)
  return { version: made.version, layout: input.layout, paths: payload.files.map(({ path }) => path), ...opened }
}
