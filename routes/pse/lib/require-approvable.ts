import { updateChecks, type VersionRow } from '../../../db/pse/versions.js'
import type { SessionRow } from '../../../db/pse/sessions.js'
import type { Db } from '../../../db/index.js'
import type { CheckReport, StandardVerdict } from 'steward-spec-engine/schemas'
import type { SpecReview } from '../../../schemas/pse/versions.js'
import { checkSpec } from './sessions/check-spec.js'
import { ChecksFailed, ReviewOpen, TargetUnknown } from './errors.js'
import { readVersion } from './sessions/read-version.js'

/** How many findings and questions an error lists; the version's checks have all of them. */
const maxNamed = 50

const requirePassed = ({ findings, counts: { error } }: CheckReport): void => {
  if (error === 0) return
  const open = findings.filter(({ severity, status }) => severity === 'error' && status === 'open').slice(0, maxNamed)
  const what = `${error === 1 ? 'One error is' : `${error} errors are`} open`
  throw ChecksFailed(`${what}: edit what they are about, or waive them, and approve again`, {
    errors_open: error,
    findings: open.map(({ rule_id, target, message }) => ({ rule_id, target, message })),
    findings_omitted: error - open.length
  })
}

const nameOf = ({ key, rule_id: rule }: StandardVerdict): string => `STD:${key}:${rule}`

const requireReviewed = ({ standards }: CheckReport): void => {
  const open = standards.filter(({ verdict }) => verdict === 'to_review')
  if (open.length === 0) return
  const questions = open.slice(0, maxNamed).map((one) => ({
    rule_id: nameOf(one), target: one.evidence[0]?.target ?? '', question: one.evidence[0]?.message ?? ''
  }))
  throw ReviewOpen('Answer the questions, and approve again with the rules that you say yes to in reviewed; waive ' +
    'those that do not matter here', { questions, questions_omitted: open.length - questions.length })
}

const unknownRule = (at: number) => {
  const message = 'is no review rule of the standards of the current version'
  const errors = [{ pointer: `/reviewed/${at}`, code: 'target_unknown', message }]
  return TargetUnknown(`/reviewed/${at} ${message}`, { errors })
}

/** @returns the stored answers and the new ones, each once @throws target_unknown */
const withAnswers = ({ reviews, checks }: VersionRow, userId: string, names: readonly string[]): SpecReview[] => {
  const known = new Set((checks?.standards ?? []).filter(({ deterministic }) => !deterministic).map(nameOf))
  const unknown = names.findIndex((name) => !known.has(name))
  if (unknown >= 0) throw unknownRule(unknown)
  const fresh = new Set(names.filter((name) => !reviews.some(({ rule_id: rule }) => rule === name)))
  return [...reviews, ...[...fresh].map((rule_id) => ({ rule_id, user_id: userId, at: new Date().toISOString() }))]
}

/**
 * Checks the version again, because a waiver may have ended since it was made.
 * @param names of the review rules whose questions the person answers with yes
 * @throws checks_failed, review_open, target_unknown
 */
export const requireApprovable = async (trx: Db, row: SessionRow, version: number, userId: string,
  names: readonly string[]): Promise<void> => {
  const { workspace_id, id: session_id } = row
  const current = await readVersion(trx, workspace_id, session_id, version)
  const { document, inputs_seq, standards, parent_version: parent } = current
  const base = parent === null ? undefined : (await readVersion(trx, workspace_id, session_id, parent)).document
  const reviews = withAnswers(current, userId, names)
  const of = { workspace_id, session_id, document, inputs_seq, standards, reviews }
  const report = await checkSpec(trx, { ...of, base })
  requirePassed(report)
  requireReviewed(report)
  await updateChecks(trx, workspace_id, session_id, version, report, reviews)
}
