import type { Call, Conversation } from '../conversation.js'
import type { PlannedCall } from '../entities.js'
import type { Tool } from '../tools.js'
import { phrase } from '../speech/index.js'
import { builds } from './builds.js'
import { changeService } from './change-service.js'
import { clusters } from './clusters.js'
import { costs } from './costs.js'
import { deployments } from './deployments.js'
import { drafts } from './drafts.js'
import { functions } from './functions.js'
import { greeting } from './greeting.js'
import { health } from './health.js'
import { images } from './images.js'
import { lists } from './lists.js'
import { logs } from './logs.js'
import { pages } from './pages.js'
import { pulls } from './pulls.js'
import { repositories } from './repositories.js'
import { isRecord } from '../../validate/shape.js'
import { serviceDetails } from './service-details.js'
import type { Skill, Wanted } from './skill.js'
import { specs } from './specs.js'
import { vague } from './vague.js'

const skills: Skill[] = [
  greeting, vague, clusters, specs, drafts, pulls, builds, costs, logs, functions, lists, deployments, images,
  repositories, serviceDetails, changeService, health, pages
]

/** What a skill does next: calls, with the words that announce a write, or its answer and the calls it stands on. */
export type Next =
  | { calls: PlannedCall[], plan: string }
  | { text: string, calls: Call[] }
  | { failed: Call, tool: Tool }
  | { wrote: Call, tool: Tool }

const sameInput = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted())

/** A person may have edited a write: it is known by its name. */
const made = (wanted: Wanted, current: Call[], isRead: boolean): Call | undefined =>
  current.find(({ name, input }) => name === wanted.name && (!isRead || sameInput(input, wanted.input)))

/** Follows a skill as far as the results go. @returns undefined when a tool that it needs cannot be found */
function follow (skill: ReturnType<Skill> & object, tools: Tool[], current: Call[]): Next | undefined {
  const used: Call[] = []
  let step = skill.next([])
  while (step.done !== true) {
    const results: Call[] = []
    const pending: PlannedCall[] = []
    for (const wanted of step.value) {
      const tool = tools.find(({ name }) => name === wanted.name)
      if (!tool) return search(wanted, tools, current)
      const call = made(wanted, current, tool.isRead)
      if (call && !tool.isRead) return { wrote: call, tool }
      if (call?.isError) return { failed: call, tool }
      if (call) results.push(call)
      else pending.push({ tool, input: wanted.input })
    }
    if (pending.length > 0) return { calls: pending, plan: step.value.find(({ plan }) => plan)?.plan ?? '' }
    used.push(...results)
    step = skill.next(results)
  }
  return { text: `${step.value}${used.some(isPart) ? partly() : ''}`, calls: used }
}

/** A list that goes on, or that a source did not answer for; lines of a log always go on. */
const isPart = ({ name, data }: Call): boolean => isRecord(data) &&
  (data.partial === true || (name.startsWith('list') && typeof data.next_cursor === 'string'))

const partly = (): string => `\n\n${phrase`This is not everything: a list goes on, or one source did not answer.`}`

/** Looks for a tool that is not there, once. */
function search ({ search: query }: Wanted, tools: Tool[], current: Call[]): Next | undefined {
  const finder = tools.find(({ name }) => name === 'findTools')
  if (!finder || current.some(({ name, input }) => name === finder.name && input.query === query)) return undefined
  return { calls: [{ tool: finder, input: { query } }], plan: '' }
}

/** @returns what is to be done for a request that is understood as a whole; undefined = none of the skills is for it */
export function useSkill (message: string, tools: Tool[], conversation: Conversation): Next | undefined {
  if (tools.length === 0) return undefined
  const current = conversation.calls.filter(({ isCurrent }) => isCurrent)
  for (const skill of skills) {
    const steps = skill(message, conversation)
    if (steps) return follow(steps, tools, current)
  }
  return undefined
}
