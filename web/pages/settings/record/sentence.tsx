import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../../api/client'
import { formatState } from '../../../parts/badge'
import { formatKnownOperation, formatName, formatSummary } from '../../../parts/label'
import { spoken } from '../../../texts/language'
import { say, sayWith } from '../../../texts/say'
import { describeOutcome, type Names } from './outcome'

export type Write = Schemas['AuditWrite']
export type Step = Write['steps'][number]

export const nameOf = (id: string | null, names: Names): string => names[id ?? ''] ?? id ?? 'Steward'

/** In English, what follows "to" begins with a small letter; a name such as "ECS service" keeps its own. */
const inSentence = (text: string): string =>
  spoken.value.language === 'en' && /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The end of an id distinguishes it from others. */
const nameTarget = (target: string): string => idForm.test(target) ? `…${target.slice(-8)}` : formatName(target)

const Target = ({ of: target }: { of: string | null }) => target === null || target === ''
  ? null
  : <> <span class='muted' title={target}>{nameTarget(target)}</span></>

const Operation = ({ name }: { name: string }) => {
  const words = formatKnownOperation(name)
  return words === undefined ? <code>{name}</code> : <>{words}</>
}

/** A write that nobody is asked about: a request of a person, a program, or Steward itself. */
const Direct = ({ write: { user_id: id, operation, target, outcome }, names }: { write: Write, names: Names }) => {
  const parts = {
    name: <strong>{nameOf(id, names)}</strong>,
    operation: <strong><Operation name={operation} /></strong>,
    target: <Target of={target} />
  }
  // Why it was refused, the outcome beside it says.
  return <>{sayWith(outcome === 'succeeded' ? 'audit.did' : 'audit.tried', parts)}</>
}

const changeOf = ({ summary, operation }: Write): ComponentChildren => summary === null
  ? <Operation name={operation} />
  : formatSummary({ summary, name: operation })

const decisionOf = (write: Write, names: Names): string | undefined => {
  const decided = write.steps.filter(({ kind }) => kind === 'decided')
  const list = (outcome: string) => new Intl.ListFormat(spoken.value.language)
    .format(new Set(decided.filter((step) => step.outcome === outcome).map(({ user_id: id }) => nameOf(id, names))))
  const [yes, no] = [list('approved'), list('rejected')]
  if (no !== '') return say('audit.rejectedBy', { names: no })
  if (yes !== '') return say('audit.approvedBy', { names: yes })
  if (write.decided_by === null) return undefined
  if (write.decided_by.startsWith('grant:')) return say('audit.byGrant')
  return say('audit.byPolicy', { policy: write.decided_by.split(':').at(-1) ?? '' })
}

/** Who wanted what, who decided, and how it ended. */
export const Sentence = ({ write, names }: { write: Write, names: Names }) => {
  if (write.steps.every(({ kind }) => kind === 'direct')) return <Direct write={write} names={names} />
  const change = changeOf(write)
  const decision = decisionOf(write, names)
  return (
    <>
      {sayWith(write.summary === null ? 'audit.ran' : 'audit.asked', {
        name: <strong>{nameOf(write.user_id, names)}</strong>,
        change: <strong>{typeof change === 'string' ? inSentence(change) : change}</strong>
      })}
      {decision !== undefined && <> {decision}</>}
    </>
  )
}

/** @returns what one entry of a write says */
export const describeStep = ({ kind, outcome, user_id: id, via, reason, status }: Step, names: Names): string => {
  const by = { name: nameOf(id, names), via: formatState(via) }
  switch (kind) {
    case 'asked': return say('audit.step.asked', by)
    case 'decided': {
      const words = say(outcome === 'rejected'
        ? 'audit.step.rejected'
        : outcome === 'edited' ? 'audit.step.edited' : 'audit.step.approved', by)
      return reason === null ? words : `${words} ${say('audit.step.reason', { reason })}`
    }
    case 'sent': return say('audit.step.sent')
    case 'ended': {
      const ended = describeOutcome(outcome)
      return status === null
        ? say('audit.step.ended', { outcome: ended })
        : say('audit.step.answered', { outcome: ended, status: String(status) })
    }
    case 'direct': return say('audit.step.direct', { ...by, outcome: describeOutcome(outcome) })
  }
}
