import { Contents } from '../../../../schemas/codehost/contents.js'
import { ApiError, InvalidRequest } from '../../../../schemas/errors.js'
import type { ExportLayout } from '../../../../schemas/pse/versions.js'
import { featureNumber } from 'steward-spec-engine/export'

interface Wanted {
  repo_id: string
  layout: ExportLayout
  path_prefix?: string | undefined
  base: string
  feature_number?: number | undefined
}

/**
 * @param read reads a folder of the repository
 * @returns the number that spec-kit's folders in the base branch leave for the spec; undefined for other layouts
 * @throws invalid_request for a number that the layout has no use of
 */
export const findFeature = async (title: string, wanted: Wanted,
  read: (url: string, shape: typeof Contents) => Promise<Contents>): Promise<number | undefined> => {
  const { repo_id: id, layout, path_prefix: prefix, base, feature_number: given } = wanted
  if (layout !== 'spec-kit' && given !== undefined) throw InvalidRequest('/feature_number is only for layout spec-kit')
  if (layout !== 'spec-kit' || given !== undefined) return given
  const query = new URLSearchParams({ path: prefix === undefined ? 'specs' : `${prefix}/specs`, ref: base })
  const folder = await read(`/codehost/repos/${encodeURIComponent(id)}/contents?${query}`, Contents)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'codehost_not_found') return undefined
      throw error
    })
  return featureNumber(title, (folder?.entries ?? []).map(({ name }) => name))
}
