import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, maxInteger, Words } from '../common.js'
import { GitRef } from '../codehost/commits.js'
import { ExpectedHead, OpenedPull, PullFile } from '../codehost/pulls.js'
import { RepoId } from '../codehost/repositories.js'
import { ExportFrom, FeatureNumber, specLayouts } from './versions.js'

const layout =
  Defaulted(Words(specLayouts, { default: 'markdown', description: 'The files are those of this export' }))

export const OpenSpecPull = Type.Object({
  repo_id: RepoId,
  version: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'Default: the current one'
  })),
  layout,
  from: ExportFrom,
  feature_number: FeatureNumber,
  path_prefix: Type.Optional(Type.Unsafe<string>({
    ...PullFile.properties.path, maxLength: 200, description: 'A folder for the files; default: the root'
  })),
  base: Type.Optional(Type.Unsafe<string>({
    ...GitRef, description: 'The branch to merge into; default: the default branch'
  })),
  head: Type.Optional(Type.Unsafe<string>({
    ...GitRef, description: 'The branch that is made; default: spec/ with the title and the end of the session\'s id'
  })),
  draft: Defaulted(Type.Boolean({ default: false })),
  expected_head: ExpectedHead
}, { $id: 'OpenSpecPull', additionalProperties: false })
export type OpenSpecPull = Static<typeof OpenSpecPull>

/** The defaults of the body. */
export const openSpecPullDefaults = { layout: 'markdown', draft: false } as const

export const OpenedSpecPull = Type.Object({
  version: Type.Integer(),
  layout: Words(specLayouts),
  paths: Type.Array(Type.String(), { description: 'Of the files' }),
  ...OpenedPull.properties
}, { $id: 'OpenedSpecPull' })
export type OpenedSpecPull = Static<typeof OpenedSpecPull>
