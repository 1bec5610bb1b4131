import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from '../common.js'

/** The job with which the area of the code host reports a push. */
export const pushJob = 'deployments.push'

export const PushNotice = Type.Object({
  workspace_id: Type.String(),
  repo: Type.String(),
  repo_id: Type.Optional(Type.String({ description: 'The code host\'s id of the repository' })),
  branch: Type.String(),
  commit: Type.String(),
  message: Nullable(Type.String()),
  paths: Nullable(Type.Array(Type.String(), {
    description: 'Files that it touches; null = not known, so every app is concerned'
  }))
})
export type PushNotice = Static<typeof PushNotice>
