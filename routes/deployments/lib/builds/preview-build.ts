import type { Static } from '@sinclair/typebox'
import { findApp } from '../../../../db/deployments/apps.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { BuildPreview, PreviewQuery } from '../../../../schemas/deployments/builds.js'
import { NotFound } from '../../../../schemas/errors.js'
import { fillTemplate } from '../apps/resolve-target.js'
import { ImageMissing, type Deps } from '../errors.js'
import { planBuilder, readPlace } from './build-image.js'

/** @returns what a build of a commit would run, and what that may cost; nothing is begun */
export const previewBuild = async (deps: Deps, principal: Principal, appId: string,
  query: Static<typeof PreviewQuery>): Promise<BuildPreview> => {
  const app = await findApp(deps.db, principal.workspace_id, appId)
  if (!app) throw NotFound()
  const { id, builder, image: template, source, target, latest_build: latest } = app
  const commit = query.commit ?? null
  const facts = { commit, ref: query.ref ?? commit ?? source.default_branch, number: (latest?.number ?? 0) + 1 }
  const image = template === null ? null : fillTemplate(template, facts)
  if (builder === null) {
    return {
      app_id: id, builder: null, image, digest: null, runs: 'No image is built: the image given is deployed', cost: null, notes: []
    }
  }
  if (image === null) throw ImageMissing('A builder needs a template that names its image')
  const place = await readPlace(deps, principal.workspace_id, target)
  const { digest, ...shown } =
    await planBuilder(deps, { setting: builder, principal, ...place, repo: source.repo, ...facts, image })
  return { app_id: id, builder: builder.kind, image, digest, ...shown }
}
