import { Value } from '@sinclair/typebox/value'
import { findBrand, listTargets, type BrandRow, type TargetState } from '../../../../db/content/brands.js'
import type { StoredBrand } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import { BrandSettings, type Brand } from '../../../../schemas/content/brands.js'
import { NotFound } from '../../../../schemas/errors.js'
import { requireProject } from '../errors.js'
import { readText } from '../text/read-text.js'

/** Adds the defaults: for an unset brand, and for settings that are newer than a stored brand. */
const withDefaults = (settings: object): StoredBrand => {
  // Value.Default fills the schema's defaults; the schema is that of a brand's settings.
  const whole = Value.Default(BrandSettings, structuredClone(settings)) as StoredBrand
  return { ...whole, publish_targets: whole.publish_targets ?? [] }
}

export interface KnownBrand extends Omit<BrandRow, 'updated_by' | 'updated_at'> {
  updated_by: string | null
  updated_at: Date | null
}

/** The brand of a project that has not set one. */
const unset = (): KnownBrand => ({ version: 0, settings: withDefaults({}), updated_by: null, updated_at: null })

/** @returns the project's brand, or the defaults. @throws not_found for a version that is not there */
export const brandOf = async (db: Db, workspaceId: string, projectId: string, version?: number):
Promise<KnownBrand> => {
  const row = await findBrand(db, workspaceId, projectId, version)
  if (row) return { ...row, settings: withDefaults(row.settings) }
  if (version !== undefined && version !== 0) throw NotFound(`The brand has no version ${version}`)
  return unset()
}

/** @returns the brand for the API: of a secret only whether it is set */
export const describeBrand = (projectId: string, brand: KnownBrand, states: TargetState[]): Brand => {
  const { publish_targets: targets, ...settings } = brand.settings
  const stateOf = new Map(states.map((state) => [state.id, state]))
  return {
    project_id: projectId,
    configured: brand.version > 0,
    version: brand.version,
    revision: brand.version,
    ...settings,
    publish_targets: targets.map((target) => ({
      ...target,
      secret_set: stateOf.get(target.target_id)?.has_secret ?? false,
      disabled_reason: stateOf.get(target.target_id)?.disabled_reason ?? null
    })),
    updated_by: brand.updated_by,
    updated_at: brand.updated_at
  }
}

/** @throws not_found for a project that is not the workspace's, or a version that is not there */
export const readBrand = async (db: Db, workspaceId: string, projectId: string, version?: number): Promise<Brand> => {
  await requireProject(db, workspaceId, projectId)
  const brand = await brandOf(db, workspaceId, projectId, version)
  return describeBrand(projectId, brand, await listTargets(db, workspaceId, projectId))
}

const text = 'The first check of a process reads the word lists. It is done here, so that no request waits for it.'

const body = {
  title: text,
  slug: 'first',
  summary: '',
  body_markdown: text,
  fields: {},
  seo: { keywords: [], noindex: false },
  media: [],
  waivers: [],
  citations: []
}

/** Loads the rules and their word lists into the process for texts before the first check: a third of a second. */
export const warmRules = async (): Promise<void> => {
  const { settings: brand, version } = unset()
  const inclusive = { ...brand, style: { ...brand.style, inclusive: 'warn' as const } }
  const slot = { channel: 'blog', network: null, locale: 'en' } as const
  const others = { isCopy: false, stated: [], isSlugTaken: false }
  await readText('report', { ...slot, ...others, body, brand: inclusive, styles: [], brief: null, today: null }, [],
    version)
}
