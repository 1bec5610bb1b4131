import type { BuildRow } from '../../../../db/deployments/builds.js'
import type { Build } from '../../../../schemas/deployments/builds.js'

/** @returns the build as the API returns it */
export const describeBuild = (row: BuildRow): Build => ({
  id: row.id,
  app_id: row.app_id,
  number: row.number,
  status: row.status,
  status_reason: row.status_reason,
  trigger: row.trigger,
  ref: row.ref,
  commit: row.commit,
  commit_message: row.commit_message,
  actor: row.actor,
  image: row.image,
  image_digest: row.image_digest,
  deployment_id: row.deployment_id,
  rollback_of: row.rollback_of,
  superseded_by: row.superseded_by,
  steps: row.steps,
  created_at: row.created_at,
  started_at: row.started_at,
  finished_at: row.finished_at,
  duration_ms: row.started_at && row.finished_at ? row.finished_at.getTime() - row.started_at.getTime() : null,
  log: { lines: row.log_lines, bytes: row.log_bytes, truncated: row.log_truncated }
})
