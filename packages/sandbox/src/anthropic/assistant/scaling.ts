import type { Call } from './conversation.js'
import type { PlannedCall } from './entities.js'
import { plain, readable } from './render.js'
import { isRecord } from '../validate/shape.js'
import { phrase } from './speech/index.js'

/** @returns "scale web in prod to 4 tasks"; undefined for any other call */
export const describeScaling = ({ tool, input }: PlannedCall): string | undefined => {
  const { service, desired_count: count } = input
  if (tool.name !== 'scaleService' || typeof service !== 'string' || typeof count !== 'number') return undefined
  const [name = '', cluster] = readable(service).split(' / ').toReversed()
  return cluster === undefined
    ? undefined
    : phrase`scale **${plain(name)}** in ${plain(cluster)} to ${count} tasks`
}

/** @returns what became of it; undefined for any other call, and where the answer does not say */
export const reportScaling = ({ name, data }: Call): string | undefined => {
  if (name !== 'scaleService' || !isRecord(data)) return undefined
  const { previous_count: before, desired_count: count, running_count: running, service_id: id } = data
  if (typeof id !== 'string' || [before, count, running].some((one) => typeof one !== 'number')) return undefined
  const service = readable(id).split(' / ').at(-1) ?? ''
  const [from, to, now] = [Number(before), Number(count), Number(running)]
  return phrase`Done: **${plain(service)}** goes from ${from} to ${to} tasks; ${now} run now.`
}
