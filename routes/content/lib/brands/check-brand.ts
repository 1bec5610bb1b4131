import type { ReplaceBrand } from '../../../../schemas/content/brands.js'
import { compileExpression } from 'steward-prose-engine/lint'
import { invalid } from '../invalid.js'

const maxBytes = 262_144

const requireUnique = (keys: string[], at: string, name: string): void => {
  const twice = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (twice >= 0) throw invalid(`${at}/${twice}/${name}`, 'unique', 'is there twice')
}

/** Rules of a brand that its schema cannot express. @throws invalid_request with a pointer */
export const requireValidBrand = (brand: ReplaceBrand): void => {
  if (Buffer.byteLength(JSON.stringify(brand)) > maxBytes) throw invalid('', 'max_bytes', 'is larger than 256 KiB')
  if (!brand.locales.enabled.includes(brand.locales.default)) {
    throw invalid('/locales/enabled', 'default', 'must hold the default locale')
  }
  requireUnique(brand.audiences.map(({ key }) => key), '/audiences', 'key')
  requireUnique(brand.claims.disclaimers.map(({ key }) => key), '/claims/disclaimers', 'key')
  requireUnique(brand.publish_targets.flatMap(({ target_id: id }, index) => id ?? `new ${index}`), '/publish_targets',
    'target_id')
  if (brand.publish_targets.filter(({ kind }) => kind === 'feed').length > 1) {
    throw invalid('/publish_targets', 'one_feed', 'may hold one feed')
  }
  brand.terms.banned.forEach(({ term, match, case_sensitive: sensitive }, index) => {
    if (match !== 'regex') return
    const problem = compileExpression(term, sensitive)
    if (typeof problem === 'string') throw invalid(`/terms/banned/${index}/term`, 'regex', problem)
  })
}
