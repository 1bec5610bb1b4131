import { listGenerations } from '../../../db/pse/generations.js'
import { listInputs } from '../../../db/pse/inputs.js'
import type { SessionRow } from '../../../db/pse/sessions.js'
import { listVersions } from '../../../db/pse/versions.js'
import type { Db } from '../../../db/index.js'
import { maxInputs } from '../../../schemas/pse/inputs.js'
import { maxIncluded, type Included, type SpecSessionQuery } from '../../../schemas/pse/sessions.js'
import { describeGenerations } from './generation/describe-generation.js'
import { describeInput } from './inputs/describe-input.js'
import { describeVersion, describeVersionSummary, readVersion } from './sessions/read-version.js'

type Session = Pick<SessionRow, 'workspace_id' | 'id' | 'current_version'>

/** @returns the version with its checks, or nulls before the first version @throws not_found */
const readSpec = async (db: Db, { workspace_id, id, current_version }: Session, version?: number) => {
  if (version === undefined && current_version === null) return { spec: null, checks: null }
  const spec = describeVersion(await readVersion(db, workspace_id, id, version))
  return { spec, checks: spec.checks }
}

/** @returns the parts of a session that `include` names @throws not_found for an unknown version */
export const readIncluded = async (db: Db, session: Session, { include = '', version }: SpecSessionQuery):
Promise<Included> => {
  const { workspace_id, id } = session
  const requested = new Set(include.split(','))
  const made = requested.has('spec') || requested.has('checks') ? await readSpec(db, session, version) : undefined
  return {
    ...(requested.has('inputs') && {
      inputs: (await listInputs(db, workspace_id, id, 0, maxInputs)).map(describeInput)
    }),
    ...(requested.has('spec') && { spec: made?.spec ?? null }),
    ...(requested.has('checks') && { checks: made?.checks ?? null }),
    ...(requested.has('generations') && {
      generations: await describeGenerations(db, await listGenerations(db, workspace_id, id, undefined, maxIncluded))
    }),
    ...(requested.has('versions') && {
      versions: (await listVersions(db, workspace_id, id, undefined, maxIncluded)).map(describeVersionSummary)
    })
  }
}
