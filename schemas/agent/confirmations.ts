import { Type, type Static } from '@sinclair/typebox'
import { PasskeySignature } from '../account/passkeys.js'
import { PersonName } from '../account/users.js'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { Problem } from '../errors.js'
import { allCallStatuses, PreviewRow, Target } from './events.js'
import { Requirement, RiskReasons, StepOf, NotShown } from './requirements.js'

export const Vote = Type.Object({
  person: PersonName,
  on_behalf_of: Nullable(PersonName),
  decision: Words(['approve', 'reject']),
  reason: Nullable(Type.String()),
  via: Words(['browser', 'token', 'assistant']),
  counts: Type.Boolean({ description: 'Whether it counts now: its person may still approve, and it is for this plan' }),
  at: Timestamp
}, { $id: 'Vote', description: 'What one person said to a question' })
export type Vote = Static<typeof Vote>

/** How far a question has come. */
const standing = {
  votes: Type.Array(Vote),
  missing: Type.Integer({ minimum: 0, description: 'How many people still have to approve' }),
  waits_for: Nullable(Type.String({ description: 'In words, such as "1 more of group Operations"; null = for nobody' }))
}

const Approvers = Type.Object({
  groups: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
    description: 'Whose people count now; empty = whoever may approve such a write'
  }),
  people: Type.Integer({ description: 'How many people may approve it now; 1000 means 1000 or more' })
}, { $id: 'Approvers', description: 'Who may approve it' })
type Approvers = Static<typeof Approvers>

const Arguments = Type.Record(Type.String(), Type.Unknown())

/** What a person says with a decision. */
export const decisionWords = {
  reason: Type.Optional(Type.String({ maxLength: 2_000, description: 'Given to the assistant with a rejection' })),
  changes: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: '\\S',
    description: 'With approved: false, what to change: the assistant reads it and proposes again, on the same thread'
  }))
}

const decision = {
  session_id: Id,
  confirmation_id: Id,
  approved: Type.Boolean(),
  ...decisionWords,
  signature: Type.Optional(PasskeySignature),
  arguments: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The whole arguments, edited; only with approved: true, in the fields that are editable, and ' +
        'with the input_digest that planConfirmation answered for them'
    })
  )
}

export const Digest = Type.String({
  maxLength: 100, description: 'What was shown; refused if it is not what would run'
})

export const onBehalfOf = Type.Optional(Type.Unsafe<string>({
  ...Id, description: 'Whose vote it is, of those who have delegated to me; by default mine, else the first that counts'
}))

export const ConfirmRequest = Type.Object(
  { ...decision, on_behalf_of: onBehalfOf, input_digest: Type.Optional(Digest) },
  { $id: 'ConfirmRequest', additionalProperties: false }
)
export type ConfirmRequest = Static<typeof ConfirmRequest>

export const ConfirmResult = Type.Object(
  {
    confirmation_id: Type.Unsafe<string>({
      ...Id, description: 'The question; with edited arguments that others have to approve too, the one that asks them'
    }),
    session_id: Id,
    run_id: Id,
    status: Words(['approved', 'rejected', 'pending'], {
      description: '`pending`: the approval counts, and others have to approve too; nothing runs yet'
    }),
    decided_at: Nullable(Timestamp),
    already_decided: Type.Boolean(),
    ...standing,
    tool_call: Nullable(
      Type.Object({ tool_call_id: Id, name: Type.String(), arguments: Type.Unknown(), status: Type.String() })
    ),
    stream_url: Type.String()
  },
  { $id: 'ConfirmResult' }
)
export type ConfirmResult = Static<typeof ConfirmResult>

export const DecideConfirmations = Type.Object({
  decisions: Type.Array(
    Type.Object({ ...decision, on_behalf_of: onBehalfOf, input_digest: Digest }, { additionalProperties: false }),
    { minItems: 1, maxItems: 20 }
  )
}, { $id: 'DecideConfirmations', additionalProperties: false })

export const DecidedConfirmations = Type.Object({
  items: Type.Array(Type.Object({
    confirmation_id: Id,
    result: Nullable(ConfirmResult),
    problem: Nullable(Problem)
  }), { description: 'One for each decision, in their order: its result, or why nothing was decided' })
}, { $id: 'DecidedConfirmations' })

export const planFields = {
  arguments: Type.Unsafe<Record<string, unknown>>({
    ...Arguments, description: 'What will run, with nothing left open'
  }),
  summary: Type.String(),
  preview: Type.Array(PreviewRow),
  risk: Words(['low', 'medium', 'high']),
  risk_reasons: Type.Optional(RiskReasons),
  target: Nullable(Target),
  facts: Nullable(Type.Unsafe<Record<string, unknown>>({
    ...Arguments, description: 'The state that the change depends on, beside what `preview` shows'
  })),
  input_digest: Type.String()
}

export const ConfirmationPlan = Type.Object({
  ...planFields,
  written_by: Type.Optional(Type.Unsafe<PersonName>({ ...PersonName, description: 'Of an edit: who wrote it' }))
}, {
  $id: 'ConfirmationPlan', description: 'What a write would do to the world as it is now'
})
export type ConfirmationPlan = Static<typeof ConfirmationPlan>

export const PlanConfirmation = Type.Object({
  arguments: Type.Unsafe<Record<string, unknown>>({
    ...Arguments, description: 'The whole arguments, edited in the fields that are editable'
  })
}, { $id: 'PlanConfirmation', additionalProperties: false })
export type PlanConfirmation = Static<typeof PlanConfirmation>

export const SignConfirmation = Type.Object({
  input_digest: Type.Unsafe<string>({ ...Digest, description: 'Of the plan that was shown, and is signed' })
}, { $id: 'SignConfirmation', additionalProperties: false })

export const ConfirmationParams = Type.Object({ confirmation_id: Id })

const statuses = ['pending', 'approved', 'rejected', 'expired', 'closed'] as const

const confirmation = {
  id: Id,
  kind: Words(['tool', 'budget']),
  session_id: Id,
  session_title: Nullable(Type.String({ description: 'null for others than the person who asked' })),
  run_id: Id,
  tool_call_id: Nullable(Id),
  status: Words(statuses),
  name: Type.String(),
  ...planFields,
  editable: Type.Array(Type.String()),
  not_shown: Type.Array(NotShown, {
    description: 'Surfaces that cannot show the plan whole, and so do not approve it'
  }),
  proposed: Nullable(ConfirmationPlan),
  edited_by: Type.Optional(Type.Array(PersonName, {
    description: 'Who has changed it since the assistant asked. Where who asked may not approve it, they may not either'
  })),
  replaces: Nullable(Type.Unsafe<string>({
    ...Id, description: 'The question before it, which stood on another state, or on other arguments'
  })),
  thread_id: Type.Unsafe<string>({
    ...Id, description: 'The first of the questions that followed each other; its own id where none was before it'
  }),
  steps: Type.Optional(StepOf),
  requested_by: PersonName,
  requirement: Requirement,
  ...standing,
  may_approve: Type.Boolean({ description: 'Whether an approval of mine would count now' }),
  escalates_at: Nullable(Type.Unsafe<Date | string>({
    ...Timestamp, description: 'When the groups of `requirement.escalate` begin to count, too'
  })),
  escalated: Type.Boolean({ description: 'Whether they do by now' }),
  reason: Nullable(Type.String({ description: 'Of a rejection' })),
  changes: Nullable(Type.String({ description: 'What a person wants changed before it is asked again' })),
  requested_at: Timestamp,
  expires_at: Timestamp,
  decided_at: Nullable(Timestamp),
  decided_by: Nullable(PersonName),
  outcome: Type.Optional(Type.Object({
    status: Words(allCallStatuses),
    finished_at: Nullable(Timestamp)
  }, { description: 'Of an approved write: what has become of it by now' }))
}

export const Confirmation = Type.Object(confirmation, { $id: 'Confirmation' })
export type Confirmation = Static<typeof Confirmation>

export const ConfirmationDetails =
  Type.Object({ ...confirmation, approvers: Approvers }, { $id: 'ConfirmationDetails' })
export type ConfirmationDetails = Static<typeof ConfirmationDetails>

export const ConfirmationPage = page(Confirmation, 'ConfirmationPage')

const describe = (description: string) => Type.Optional(Type.Unsafe<string>({ ...Id, description }))

export const ConfirmationQuery = Type.Object({
  ...PageQuery,
  view: Words(['mine', 'to_decide', 'waiting', 'workspace'], {
    default: 'mine',
    description: '`mine`: what I asked; `to_decide`: what waits for my approval, whoever asked; `waiting`: what I ' +
      'asked and others have to approve; `workspace`: whatever I may see'
  }),
  status: Words([...statuses, 'decided', 'all'], {
    default: 'pending', description: '`decided` = approved or rejected. `to_decide` and `waiting` are pending'
  }),
  session_id: describe('Only those of this session'),
  run_id: describe('Only those of this run, in the order in which the assistant asked'),
  requested_by: describe('Only what this person asked'),
  decided_by: describe('Only what this person decided'),
  tool: Type.Optional(Type.String({ maxLength: 64, description: 'Only this tool\'s' })),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the summary or of the target, in any case' }))
})
export type ConfirmationQuery = Static<typeof ConfirmationQuery>

export const ThreadQuery = Type.Object(PageQuery)
