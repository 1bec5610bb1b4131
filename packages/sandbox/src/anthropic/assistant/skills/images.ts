import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { listServices, namedIn, type Service } from './services.js'
import type { Skill, Steps } from './skill.js'

const asks = /\b(which|what)\b.*\b(version|image|tag)s?\b.*\b(run\w*|use[sd]?|using|live|deployed|in|of|on|have|has)\b/i
const elsewhere = /\b(spec|content|brief|function|standard|clean|node)s?\b|[=~{]/i

const lines = ({ name, cluster, images }: Service): string[] => images.map(({ container, image }) =>
  `- ${phrase`**${plain(name)}** in ${plain(cluster)}`}${images.length > 1 ? `, ${plain(container)}` : ''}: ` +
    `\`${image.replaceAll('`', '')}\``)

function * show (message: string): Steps {
  const services = yield * listServices()
  const named = namedIn(message, services)
  const found = (named.length > 0 ? named : services).flatMap(lines)
  return found.length > 0 ? found.join('\n') : phrase`There is no service in any cluster.`
}

/** "Which version of web is running?", "What image does api use?" */
export const images: Skill = (message) =>
  (asks.test(message) || /\b(what|which) (image|version)s?\b.*\bdo(es)?\b/i.test(message)) && !elsewhere.test(message)
    ? show(message)
    : undefined
