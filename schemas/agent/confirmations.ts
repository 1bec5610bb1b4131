import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { PreviewRow, Target } from './events.js'

const Arguments = Type.Record(Type.String(), Type.Unknown())

export const ConfirmRequest = Type.Object(
  {
    session_id: Id,
    confirmation_id: Id,
    approved: Type.Boolean(),
    reason: Type.Optional(Type.String({ maxLength: 2_000, description: 'Given to the assistant with a rejection' })),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The whole arguments, edited; only with approved: true, in the fields that are editable, and ' +
          'with the input_digest that planConfirmation answered for them'
      })
    ),
    input_digest: Type.Optional(
      Type.String({ maxLength: 100, description: 'What was shown; refused if it is not what would run' })
    )
  },
  { $id: 'ConfirmRequest', additionalProperties: false }
)
export type ConfirmRequest = Static<typeof ConfirmRequest>

export const ConfirmResult = Type.Object(
  {
    confirmation_id: Id,
    session_id: Id,
    run_id: Id,
    status: Words(['approved', 'rejected']),
    decided_at: Timestamp,
    already_decided: Type.Boolean(),
    tool_call: Nullable(
      Type.Object({ tool_call_id: Id, name: Type.String(), arguments: Type.Unknown(), status: Type.String() })
    ),
    stream_url: Type.String()
  },
  { $id: 'ConfirmResult' }
)

const plan = {
  arguments: Type.Unsafe<Record<string, unknown>>({
    ...Arguments, description: 'What will run, with nothing left open'
  }),
  summary: Type.String(),
  preview: Type.Array(PreviewRow),
  risk: Words(['low', 'medium', 'high']),
  target: Nullable(Target),
  facts: Nullable(Type.Unsafe<Record<string, unknown>>({
    ...Arguments, description: 'The state that the change depends on, beside what `preview` shows'
  })),
  input_digest: Type.String()
}

export const ConfirmationPlan = Type.Object(plan, {
  $id: 'ConfirmationPlan', description: 'What a write would do to the world as it is now'
})
export type ConfirmationPlan = Static<typeof ConfirmationPlan>

export const PlanConfirmation = Type.Object({
  arguments: Type.Unsafe<Record<string, unknown>>({
    ...Arguments, description: 'The whole arguments, edited in the fields that are editable'
  })
}, { $id: 'PlanConfirmation', additionalProperties: false })
export type PlanConfirmation = Static<typeof PlanConfirmation>

export const ConfirmationParams = Type.Object({ confirmation_id: Id })

export const Confirmation = Type.Object(
  {
    id: Id,
    kind: Words(['tool', 'budget']),
    session_id: Id,
    session_title: Nullable(Type.String()),
    run_id: Id,
    tool_call_id: Nullable(Id),
    status: Words(['pending', 'approved', 'rejected', 'expired', 'closed']),
    name: Type.String(),
    ...plan,
    editable: Type.Array(Type.String()),
    proposed: Nullable(ConfirmationPlan),
    replaces: Nullable(Type.Unsafe<string>({
      ...Id, description: 'The question before it, which stood on another state'
    })),
    requested_at: Timestamp,
    expires_at: Timestamp,
    decided_at: Nullable(Timestamp)
  },
  { $id: 'Confirmation' }
)
export type Confirmation = Static<typeof Confirmation>

export const ConfirmationPage = page(Confirmation, 'ConfirmationPage')
export const ConfirmationQuery = Type.Object({
  ...PageQuery,
  status: Words(['pending', 'all'], { default: 'pending' }),
  session_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only those of this session' }))
})
