import type { PutStandard } from '../../../../schemas/pse/standards.js'
import { StandardIdConflict, StandardIdRequired } from './errors.js'

interface Address { standard_id?: string | undefined, key?: string | undefined }

/**
 * Which standard the literal form of the specification means: the query says it, or the body does.
 * @throws standard_id_required, standard_id_conflict
 */
export const addressOf = (query: Address, body: Pick<Partial<PutStandard>, 'standard_id' | 'key'> = {}): string => {
  const name = query.standard_id ?? query.key ?? body.standard_id ?? body.key
  if (name === undefined) throw StandardIdRequired('Send standard_id or key, or use /pse/standards/{standard}')
  if (query.standard_id !== undefined && query.key !== undefined) throw StandardIdConflict()
  if (query.standard_id !== undefined && body.standard_id !== undefined && body.standard_id !== query.standard_id) {
    throw StandardIdConflict()
  }
  return name
}
