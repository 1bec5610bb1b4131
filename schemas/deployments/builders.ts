import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from '../common.js'

export const builderKinds = ['image', 'actions', 'codebuild'] as const
export type BuilderKind = typeof builderKinds[number]

const minutes = (description: string) => Type.Integer({ minimum: 1, maximum: 360, description })

export const ImageBuilder = Type.Object({
  kind: Type.Literal('image'),
  wait_minutes: Type.Optional(minutes('How long a build waits for the image; 30 when absent'))
}, {
  $id: 'ImageBuilder',
  additionalProperties: false,
  description: 'Somebody else builds and pushes: a build waits until the registry has the image of the commit'
})
export type ImageBuilder = Static<typeof ImageBuilder>

const Input = (description: string) => Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,99}$', examples: ['commit'], description
})

export const ActionsBuilder = Type.Object({
  kind: Type.Literal('actions'),
  workflow: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,100}\\.ya?ml$', examples: ['image.yml'], description: 'Its file in .github/workflows'
  }),
  commit_input: Type.Optional(Input('The input that takes the commit; `commit` when absent')),
  build_input: Type.Optional(Input('An input that the run\'s name shows: by it a run is found whose id was lost')),
  max_minutes: Type.Optional(minutes('How long a run may take; 60 when absent'))
}, {
  $id: 'ActionsBuilder',
  additionalProperties: false,
  description: 'A workflow of the repository builds and pushes: it is started by workflow_dispatch with the commit'
})
export type ActionsBuilder = Static<typeof ActionsBuilder>

export const CodeBuildBuilder = Type.Object({
  kind: Type.Literal('codebuild'),
  project: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{1,149}$', examples: ['web-image'], description: 'Its name' }),
  region: Type.Optional(Type.String({
    pattern: '^[a-z]{2}(-[a-z]+)+-[0-9]$', maxLength: 30, examples: ['eu-west-1'], description: 'That of the target when absent'
  })),
  max_minutes: Type.Optional(minutes('How long a build may take; 60 when absent'))
}, {
  $id: 'CodeBuildBuilder',
  additionalProperties: false,
  description: 'A project of CodeBuild in the cloud account of the app builds and pushes, from the commit'
})
export type CodeBuildBuilder = Static<typeof CodeBuildBuilder>

export const AppBuilder = Type.Union([ImageBuilder, ActionsBuilder, CodeBuildBuilder],
  { $id: 'AppBuilder', discriminator: { propertyName: 'kind' } })
export type AppBuilder = Static<typeof AppBuilder>

/** What builds the image outside of Steward, as the provider names it. */
export const BuildRun = Type.Object({
  id: Nullable(Type.String({ description: 'null: it was asked for, and the answer with its id has not come' })),
  url: Nullable(Type.String({ description: 'Its page at the provider' }))
}, { $id: 'BuildRun' })

/** The same as a row keeps it. */
export const StoredRun = Type.Object({
  ...BuildRun.properties,
  /** How far each part of its log was passed on, by the provider's own names. */
  read: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))
})
export type StoredRun = Static<typeof StoredRun>
