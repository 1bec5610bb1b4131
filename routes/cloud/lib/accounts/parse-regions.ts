import { partitionOf, type Partition } from '../../../../schemas/cloud/regions.js'
import { RegionUnknown } from '../errors.js'

const invalid = (pointer: string, message: string) =>
  RegionUnknown(`${pointer} ${message}`, { errors: [{ pointer, code: 'region_unknown', message }] })

/**
 * @returns the partition that all the regions are in
 * @throws region_unknown for a region that AWS does not have, for two partitions, or for a foreign default
 */
export const parseRegions = (regions: string[], defaultRegion: string): Partition => {
  const found = regions.map((region, index) => {
    const partition = partitionOf(region)
    if (!partition) throw invalid(`/regions/${index}`, `${region} is not a region of AWS`)
    return partition
  })
  const [partition] = found
  if (!partition || found.some((one) => one !== partition)) throw invalid('/regions', 'must be of one partition')
  if (!regions.includes(defaultRegion)) throw invalid('/default_region', 'must be one of the regions')
  return partition
}
