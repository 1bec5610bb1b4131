import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { isEnglish, phrase } from '../speech/index.js'
import { text } from './named.js'
import { read, type Skill, type Steps } from './skill.js'

const asks = /\b(which|what|list|show|how much|all)\b.*\bclusters?\b|^\W*clusters?\W*$/i
const others = /\b(service|services|runs?|running|in|create|delete|cost|costs)\b|[=~]/i

type Item = Record<string, unknown>

const line = ({ name, region, active_services: services, running_tasks: tasks }: Item): string => {
  const [own, where] = [plain(text(name)), plain(text(region))]
  return `- ${phrase`**${own}** in ${where}: ${Number(services)} services, ${Number(tasks)} tasks run`}`
}

function * show (): Steps {
  const clusters = itemsOf((yield * read('listClusters')).data) ?? []
  return clusters.length === 0 ? phrase`There is no cluster.` : clusters.map(line).join('\n')
}

/** "Which clusters do I have?" in other languages than English, which the tools' schemas read. */
export const clusters: Skill = (message) =>
  !isEnglish() && asks.test(message) && !others.test(message) ? show() : undefined
