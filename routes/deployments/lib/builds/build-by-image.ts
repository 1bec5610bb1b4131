import { findQueuedPush } from '../../../../db/deployments/builds.js'
import { findImage } from '../../../../lib/registries/find-image.js'
import type { ImageBuilder } from '../../../../schemas/deployments/builders.js'
import { RegistryDenied } from '../errors.js'
import { StepFailed, Superseded } from './build-state.js'
import type { Builder, Building } from './builder.js'

const minutesOf = ({ wait_minutes: minutes }: ImageBuilder): number => minutes ?? 30

/** What the log said last of each build that this process holds: the same is not said again. */
const said = new WeakMap<object, string>()

const sayOnce = async ({ state, log }: Building<ImageBuilder>, words: string): Promise<void> => {
  if (said.get(state) === words) return
  said.set(state, words)
  await log(words)
}

/** The image of an older commit will often never come: who pushes again has stopped its pipeline. */
const requireNewest = async ({ deps, state: { row } }: Building<ImageBuilder>): Promise<void> => {
  if (row.trigger !== 'push') return
  const newer = await findQueuedPush(deps.db, row.workspace_id, row.app_id)
  if (!newer) return
  throw new Superseded(`Build ${newer.number} is of a newer push: the image of ${row.commit ?? row.ref} is not awaited any more`,
    { reason: 'newer_push', by: newer.id })
}

/** Somebody else pushes the image: a build waits until its registry has it. */
export const buildByImage: Builder<ImageBuilder> = {
  minutes: minutesOf,

  async plan (deps, { setting, account, image }) {
    const found = await findImage(deps, account, image)
    if (found.state === 'denied' || found.state === 'fetched') {
      throw RegistryDenied(`Whether ${image} exists cannot be known: ${found.why}`, { image })
    }
    return {
      runs: `No image is built here: the build waits up to ${minutesOf(setting)} min until the registry has ${image}`,
      cost: null,
      notes: [found.state === 'found' ? `The registry has it: ${found.digest}` : `The registry does not have it yet: ${found.why}`],
      digest: found.state === 'found' ? found.digest : null
    }
  },

  async look (building) {
    const { deps, account, image, setting } = building
    const found = await findImage(deps, account, image)
    if (found.state === 'found') return { digest: found.digest }
    if (found.state === 'denied' || found.state === 'fetched') {
      throw new StepFailed(`Whether ${image} exists cannot be known: ${found.why}`)
    }
    await sayOnce(building, `Waits up to ${minutesOf(setting)} min for ${image}: ${found.why}`)
    await requireNewest(building)
    return undefined
  },

  tooLate: ({ image, setting, state }) =>
    `${image} did not come within ${minutesOf(setting)} min. ${said.get(state)?.split(': ').slice(1).join(': ') ?? ''}`.trim()
}
