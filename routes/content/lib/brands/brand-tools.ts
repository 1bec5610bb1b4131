import { isDeepStrictEqual } from 'node:util'
import { fieldChanges } from '../../../../lib/tools/changes.js'
import { defineWriteTool, type Change, type Plan } from '../../../../lib/tools/options.js'
import { Brand, BrandParams, BrandSettings, ReplaceBrand } from '../../../../schemas/content/brands.js'
import { keysOf } from '../../../../schemas/unknown.js'
import { etag } from '../../../../schemas/revisions.js'
import { requireValidBrand, requireNoBrandReadOnly, requireTargets, writableBrand } from './replace-brand.js'
import { bodyReader } from '../read-body.js'
import { targetChanges } from './target-changes.js'
import { nameProject } from '../tool-targets.js'

const written = bodyReader(ReplaceBrand)

const settings = keysOf(BrandSettings.properties)

/** Settings of who approves content: their change is a high risk. */
const guards: readonly string[] = ['approval']

const areChanged = (changes: readonly Change[]): boolean =>
  changes.some(({ before, after }) => !isDeepStrictEqual(before ?? null, after ?? null))

const riskOf = (targets: readonly Change[], others: readonly Change[]): Plan['risk'] => [
  'changes_settings',
  ...areChanged(targets) ? ['changes_targets'] as const : [],
  ...areChanged(others.filter(({ label }) => guards.includes(label))) ? ['changes_approval'] as const : []
]

/** Shows the next version, so that a concurrent write is noticed even where it replaced only a secret. */
const versionRow = ({ version, configured }: Brand, changes: readonly Change[]): Change =>
  ({
    label: 'Version',
    before: version,
    after: configured && !areChanged(changes) ? version : version + 1,
    ...(configured && { context: true })
  })

export const replaceBrandTool = defineWriteTool({
  input: { params: BrandParams, body: ReplaceBrand },
  editable: [...settings, 'publish_targets'],
  reads: ['getBrand'],
  basis: 'The whole brand, for it is replaced as a whole: what is left out gets its default',
  async plan ({ project_id: id, body_project_id: own, ...input }, read) {
    const name = await nameProject(id, read)
    const before = await read(`/content/brands/${encodeURIComponent(id)}`, Brand)
    requireNoBrandReadOnly({ ...input, ...(own !== undefined && { project_id: own }) }, before)
    const after = written(input)
    requireValidBrand(after)
    requireTargets(after, before)
    const targets = targetChanges(after.publish_targets, before.publish_targets)
    const others = fieldChanges(settings, after, before)
    return {
      target: { kind: 'brand', id, within: { project: id }, names: [name] },
      summary: `Replace the brand settings of project ${name}`,
      changes: [versionRow(before, [...others, ...targets]), ...others, ...targets],
      // Without a changed target there is no row for it.
      covered: ['publish_targets'],
      args: { project_id: id, ...writableBrand(input) },
      facts: { version: before.version },
      ifMatch: etag(before.revision),
      risk: riskOf(targets, others)
    }
  }
})
