import { findVersion } from '../../../../db/pse/versions.js'
import type { SessionRow } from '../../../../db/pse/sessions.js'
import type { Db } from '../../../../db/index.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { GenerateSpec } from '../../../../schemas/pse/generations.js'
import { sectionFields } from 'steward-spec-engine/engine'
import { ItemLocked, NoVersion, TargetUnknown } from '../errors.js'

const fieldError = (code: string, at: number, message: string) =>
  ({ errors: [{ pointer: `/targets/${at}`, code, message }] })

const sectionOf = (target: string): string | undefined => /^sections\.(.+)$/.exec(target)?.[1]

const requireSection = ({ sections, locked_sections: locked }: SpecDocument, target: string, at: number): void => {
  const key = sectionOf(target)
  const known: string[] = [...sectionFields, ...sections.map((section) => section.key)]
  const message = `${target} is no section of the spec`
  if (key === undefined || !known.includes(key)) throw TargetUnknown(message, fieldError('target_unknown', at, message))
  if (locked.includes(key)) throw ItemLocked(`${target} is locked`, fieldError('item_locked', at, 'is locked'))
}

const requireItem = ({ requirements, locked_sections: sections }: SpecDocument, target: string, at: number): void => {
  const item = requirements.find(({ id, status }) => id === target && status === 'active')
  const message = `${target} is no active requirement of the spec`
  if (!item) throw TargetUnknown(message, fieldError('target_unknown', at, message))
  if (item.locked || sections.includes('requirements')) {
    throw ItemLocked(`${target} is locked`, fieldError('item_locked', at, 'is locked'))
  }
}

const requireTarget = { sections: requireSection, requirements: requireItem, repair: requireItem }

const invalidTargets = (message: string) =>
  InvalidRequest(message, { errors: [{ pointer: '/targets', code: 'invalid', message }] })

const targetsOf = ({ mode, targets = [] }: GenerateSpec, document: SpecDocument): string[] => {
  if (mode === 'full' || mode === 'check' || mode === 'import') {
    if (targets.length > 0) throw invalidTargets(`The mode ${mode} is of the whole spec`)
    return []
  }
  if (targets.length === 0 && mode !== 'repair') throw invalidTargets(`The mode ${mode} needs targets`)
  for (const [at, target] of targets.entries()) requireTarget[mode](document, target, at)
  return targets.length === 0 ? ['sections.requirements'] : targets
}

/** The targets of a generation; no targets = the whole spec. */
export interface Chosen { targets: string[], base: SpecDocument | undefined }

/**
 * Validates the targets of a generation. A repair without targets covers all requirements.
 * @throws invalid_request, no_version, target_unknown, item_locked
 */
export const chooseTargets = async (db: Db, row: SessionRow, input: GenerateSpec): Promise<Chosen> => {
  const { current_version: current } = row
  const base = current === null ? undefined : (await findVersion(db, row.workspace_id, row.id, current))?.document
  if (base) return { targets: targetsOf(input, base), base }
  if (input.mode !== 'full' && input.mode !== 'import') throw NoVersion()
  if (input.targets?.length) throw invalidTargets(`The mode ${input.mode} is of the whole spec`)
  return { targets: [], base }
}
