import t, { type Test } from '../tap.js'
import { failpoints, type Failpoint } from '../../plugins/failpoints.js'
import { requirePostgres } from './postgres.js'
import { approvedWrite } from './paths/approved-write.js'
import { build } from './paths/build.js'
import { compaction } from './paths/compaction.js'
import { content } from './paths/content.js'
import { generation } from './paths/generation.js'
import { parked } from './paths/parked.js'
import { planOfSteps } from './paths/plan-of-steps.js'
import { publication } from './paths/publication.js'
import type { Path } from './paths/path.js'
import { webhook } from './paths/webhook.js'
import { sizes } from './sizes.js'
import { makeSurvivor } from './survivor.js'

await requirePostgres(t)

const paths = [approvedWrite, build, compaction, content, generation, parked, planOfSteps, publication, webhook]
const pointsOf = ({ areas }: Path) => failpoints.filter((point) => areas.some((area) => point.startsWith(`${area}.`)))

t.test('every point lies on one path', async (t) => {
  t.same(paths.flatMap(pointsOf).toSorted(), [...failpoints].toSorted())
})

/** Each point, at its first hit, its second, and so on until the process ends without a death. */
const sweep = async (t: Test, path: Path, points: Failpoint[]): Promise<void> => {
  const survivor = await makeSurvivor(t, path.settings)
  await survivor.begin('')
  const go = await path.prepare(t, survivor)
  let number = 0
  for (const point of points) {
    for (let hit = 1; hit <= sizes.failpointHits; hit++) {
      // A process that a busy machine holds up longer than its lease lost its work before it came to the point.
      for (let tries = hit === 1 ? 3 : 1; tries > 0 && !survivor.died; tries--) {
        await survivor.begin(`${point}:${hit}`)
        const complaints = await go(number++)
        t.same(complaints, [], `${point}:${hit}${survivor.died ? '' : ' was not reached'}`)
      }
      if (hit === 1) t.ok(survivor.died, `${point} is reached`)
      if (!survivor.died) break
      survivor.died = false
    }
  }
}

t.test('I64: specs 2: a process dies at every point: nothing is doubled or lost, everything goes on', async (t) => {
  // Most of the time goes into waiting for leases to lapse.
  const lanes = paths.flatMap((path) => {
    const points = pointsOf(path)
    const parts = points.length > 8 ? [points.slice(0, 7), points.slice(7)] : [points]
    return parts.map((part) => [path, part] as const)
  })
  await Promise.all(lanes.map(([path, points]) => sweep(t, path, points)))
})
