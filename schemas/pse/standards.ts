import { ruleSeverities, specTypes, standardKinds, StandardRule } from 'steward-spec-engine/schemas'
import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, maxInteger, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { IfMatch, Revision } from '../revisions.js'

const closed = { additionalProperties: false }

export const standardStatuses = ['active', 'deprecated', 'archived'] as const

export const StandardScope = Type.Object({
  project_ids: Type.Array(Id, { maxItems: 100, description: 'Empty = every project of the workspace' }),
  spec_types: Type.Array(Words(specTypes), { maxItems: 6, description: 'Empty = every type' })
}, { $id: 'StandardScope', ...closed })

export const StandardParent = Type.Object({
  standard: Type.String({ minLength: 1, maxLength: 64, description: 'The id or the key of a standard' }),
  version: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'null = the newest' })))
}, { $id: 'StandardParent', ...closed })

export const RuleOverride = Type.Object({
  rule_id: Type.String({ maxLength: 63 }), severity: Words(ruleSeverities)
}, { $id: 'RuleOverride', ...closed })

const keyPattern = '^(?![0-9a-f]{8}-[0-9a-f]{4}-)[a-z0-9][a-z0-9-]{1,62}$'
const keyForm = new RegExp(keyPattern)
export const isStandardKey = (name: string): boolean => keyForm.test(name)
const Key = Type.String({
  pattern: keyPattern,
  examples: ['house-style'],
  description: 'A name for addresses, unique in the workspace; it may not look like an id'
})

/** The content of a standard's version. */
const content = {
  title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  description: Defaulted(Type.String({ maxLength: 2000, default: '' })),
  kind: Words(standardKinds),
  tags: Defaulted(Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
    maxItems: 20, uniqueItems: true, default: []
  })),
  scope: Defaulted(Type.Unsafe<Static<typeof StandardScope>>({
    ...StandardScope, default: { project_ids: [], spec_types: [] }
  })),
  body_markdown: Defaulted(Type.String({
    maxLength: 65_536,
    default: '',
    description: 'What a model reads; a template\'s headings are sections it asks for; a glossary\'s lines are terms ' +
      'that the checks hold the spec to: `- Term (not: word, word): what it means`, or a table'
  })),
  rules: Defaulted(Type.Array(StandardRule, { maxItems: 200, default: [] })),
  extends: Defaulted(Type.Array(StandardParent, { maxItems: 5, default: [] })),
  overrides: Defaulted(Type.Array(RuleOverride, {
    maxItems: 200, default: [], description: 'Severities of inherited rules; off switches one off'
  }))
}

export const StandardContent = Type.Object(content, closed)
export type StandardContent = Static<typeof StandardContent>

export const CreateStandard = Type.Object({
  key: Type.Optional(Key),
  ...content,
  title: Type.Optional(content.title),
  kind: Type.Optional(content.kind),
  clone_of: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The id or key of a standard whose newest version is copied; a key, a title and a scope may be ' +
      'given beside. Without it, title and kind are needed'
  }))
}, { $id: 'CreateStandard', ...closed, description: 'Without a key, one is made of the title' })
export type CreateStandard = Static<typeof CreateStandard>

const known = {
  standard_id: Id,
  key: Key,
  version: Type.Integer({ minimum: 1 }),
  revision: Revision,
  status: Words(standardStatuses),
  source: Words(['user', 'builtin'], { description: 'builtin: it comes with Steward and is only read; clone it' }),
  created_by: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const Standard = Type.Object({
  ...known, ...content
}, { $id: 'Standard', description: 'A change makes a new version; the old ones stay readable' })
export type Standard = Static<typeof Standard>

const { body_markdown: _, rules: __, overrides: ___, ...brief } = content
export const StandardSummary = Type.Object({
  ...known, ...brief, rule_count: Type.Integer({ description: 'Its own rules, without those of what it extends' })
}, { $id: 'StandardSummary' })
export type StandardSummary = Static<typeof StandardSummary>
export const StandardPage = page(StandardSummary, 'StandardPage')

/** Read-only fields are accepted with their current values, so that a client can change and send back what it read. */
export const PutStandard = Type.Object({
  ...Type.Partial(Type.Object(known)).properties,
  ...content,
  status: Type.Optional(Words(['active', 'deprecated']))
}, { $id: 'PutStandard', ...closed })
export type PutStandard = Static<typeof PutStandard>

const Name = Type.String({ minLength: 1, maxLength: 64, description: 'The id of a standard, or its key' })
export const StandardParams = Type.Object({ standard: Name })
export const PutStandardHeaders = Type.Object({
  ...IfMatch.properties,
  'if-none-match': Type.Optional(Type.String({
    maxLength: 1000, description: '*: only if no standard in use has this key; it is made then'
  }))
})
export const StandardVersionQuery = Type.Object({
  version: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'An older version; default: the newest'
  }))
})
export const StandardAddress = Type.Object({ standard_id: Type.Optional(Name), key: Type.Optional(Name) })
export const ListStandards = Type.Object({
  ...PageQuery,
  project_id: Type.Optional(Id),
  kind: Type.Optional(Words(standardKinds)),
  tag: Type.Optional(Type.String({ maxLength: 60 })),
  status: Type.Optional(Words(standardStatuses, { description: 'Default: all but the archived ones' }))
})

export type ListStandards = Static<typeof ListStandards>
